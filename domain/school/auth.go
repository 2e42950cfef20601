package school

import "lyceum/domain/fault"

// AuthMethod is how the people of a school sign in.
type AuthMethod struct{ name string }

// The authentication methods.
var (
	Preregistration = AuthMethod{"preregistration"} // an administrator adds people, who are then invited
	Open            = AuthMethod{"open"}            // anyone may register
	URL             = AuthMethod{"url"}             // another system signs people in with links
	SSO             = AuthMethod{"sso"}             // an identity provider signs people in
)

// AuthMethods returns every method.
func AuthMethods() []AuthMethod { return []AuthMethod{Preregistration, Open, URL, SSO} }

// ParseAuthMethod returns the method with the given name.
func ParseAuthMethod(name string) (AuthMethod, error) {
	for _, m := range AuthMethods() {
		if m.name == name {
			return m, nil
		}
	}
	return AuthMethod{}, fault.Invalidf("authentication", "must be one of: preregistration, open, url, sso")
}

// String returns the method's name.
func (m AuthMethod) String() string { return m.name }

// IsZero reports whether m is the zero value, which is not a method.
func (m AuthMethod) IsZero() bool { return m.name == "" }

// SignsInByEmail reports whether people sign in with a link that is sent to their email address.
func (m AuthMethod) SignsInByEmail() bool { return m == Preregistration || m == Open }

// CheckLearnerCreation returns a fault if learners cannot be created through the API. With URL
// authentication, another system creates them (specification, Authentication 4).
func (m AuthMethod) CheckLearnerCreation() error {
	if m == URL {
		return fault.Forbiddenf("Learners cannot be created while the school uses URL authentication")
	}
	return nil
}
