package school

import "lyceum/domain/fault"

// AuthMethod is the way in which a school's people sign in.
type AuthMethod struct{ name string }

// The authentication methods.
var (
	Preregistration = AuthMethod{"preregistration"} // people are invited by an administrator
	Open            = AuthMethod{"open"}            // anybody may register
	URL             = AuthMethod{"url"}             // another system signs people in by link
	SSO             = AuthMethod{"sso"}             // an identity provider signs people in
)

// AuthMethods returns every method.
func AuthMethods() []AuthMethod { return []AuthMethod{Preregistration, Open, URL, SSO} }

// ParseAuthMethod returns the method called name.
func ParseAuthMethod(name string) (AuthMethod, error) {
	for _, m := range AuthMethods() {
		if m.name == name {
			return m, nil
		}
	}
	return AuthMethod{}, fault.Invalidf("authentication", "is not one of preregistration, open, url, sso")
}

// String returns the method's name.
func (m AuthMethod) String() string { return m.name }

// IsZero tells whether m is no method at all.
func (m AuthMethod) IsZero() bool { return m.name == "" }

// CheckLearnerCreation says whether learners may be created through the API: a
// school that uses URL authentication gets them from elsewhere, so it is
// forbidden there (specification, Authentication 4).
func (m AuthMethod) CheckLearnerCreation() error {
	if m == URL {
		return fault.Forbiddenf("Learners cannot be created while the school uses URL authentication")
	}
	return nil
}
