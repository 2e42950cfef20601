package sso_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/outgoing"
	"lyceum/adapters/sso"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/oidctest"
)

const redirect = "https://lms.test/learn/a/sso/return"

// world is a provider with a client of this server.
type world struct {
	t        *testing.T
	provider *oidctest.Provider
	clock    *fake.Clock
	sso      *sso.Providers
	log      *bytes.Buffer
	school   school.Provider
	asked    signin.Authorization
}

func newWorld(t *testing.T) *world {
	t.Helper()
	p, clock, log := oidctest.New(t), fake.NewClock(fake.Start), &bytes.Buffer{}
	p.Now = clock.Now
	client := outgoing.NewClient(outgoing.Config{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Timeout: time.Second, MaxBody: 64 << 10})
	return &world{
		t: t, provider: p, clock: clock, log: log, sso: sso.New(client, clock, slog.New(slog.NewTextHandler(log, nil))),
		school: school.Provider{Issuer: p.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret},
		asked:  signin.Authorization{Redirect: redirect, State: "state", Nonce: "nonce", Verifier: strings.Repeat("v", 64)},
	}
}

// visit goes to the provider and returns the parameters with which it sends the browser back.
func (w *world) visit() signin.Returned {
	w.t.Helper()
	is := is.New(w.t)
	address, err := w.sso.SignInURL(w.t.Context(), w.school, w.asked)
	is.NoErr(err)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, address, http.NoBody)
	is.NoErr(err)
	response, err := client.Do(r)
	is.NoErr(err)
	is.NoErr(response.Body.Close())
	back, err := url.Parse(response.Header.Get("Location"))
	is.NoErr(err)
	is.True(strings.HasPrefix(back.String(), redirect+"?"))
	query := back.Query()
	return signin.Returned{State: query.Get("state"), Code: query.Get("code"), Issuer: query.Get("iss"), Error: query.Get("error")}
}

func (w *world) identify(r signin.Returned) (signin.Identity, error) {
	return w.sso.Identify(w.t.Context(), w.school, w.asked, r)
}

var ada = signin.Identity{Email: "ada@example.test", Verified: true, FirstName: "Ada", LastName: "Lovelace"}

func TestIdentify(t *testing.T) {
	for name, set := range map[string]func(p *oidctest.Provider){
		"claims in the UserInfo response": func(*oidctest.Provider) {},
		"claims in the ID token":          func(p *oidctest.Provider) { p.InToken = true },
		"a text instead of a boolean":     func(p *oidctest.Provider) { p.Person["email_verified"] = "true" },
		"several audiences": func(p *oidctest.Provider) {
			p.Claims = func(c map[string]any) { c["aud"], c["azp"] = []string{"other", oidctest.ClientID}, oidctest.ClientID }
		},
		"a clock that is behind": func(p *oidctest.Provider) {
			p.Claims = func(c map[string]any) { c["exp"] = fake.Start.Add(-30 * time.Second).Unix() }
		},
		"a clock that is ahead": func(p *oidctest.Provider) {
			p.Claims = func(c map[string]any) { c["nbf"] = fake.Start.Add(time.Minute).Unix() }
		},
		"the hash of the access token": func(p *oidctest.Provider) {
			p.Claims = func(c map[string]any) { c["at_hash"] = "oFYf1knNtrqnhAVfBRuteQ" }
		},
		"no issuer in the address": func(p *oidctest.Provider) {
			p.Metadata = map[string]any{"authorization_response_iss_parameter_supported": false}
			p.Callback = func(v url.Values) { v.Del("iss") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t)
			set(w.provider)
			found, err := w.identify(w.visit())
			is.NoErr(err)
			is.Equal(found, ada)
		})
	}
}

func TestUnverifiedAddress(t *testing.T) {
	for name, value := range map[string]any{"false": false, "missing": nil, "a text": "false"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t)
			w.provider.Person["email_verified"] = value
			if value == nil {
				delete(w.provider.Person, "email_verified")
			}
			found, err := w.identify(w.visit())
			is.NoErr(err)
			is.True(!found.Verified)
		})
	}
}

// Each provider misbehaves in one way.
func TestToxicProviders(t *testing.T) {
	claim := func(name string, value any) func(w *world, p *oidctest.Provider) {
		return func(_ *world, p *oidctest.Provider) { p.Claims = func(c map[string]any) { c[name] = value } }
	}
	for _, tt := range []struct {
		name string
		set  func(w *world, p *oidctest.Provider)
		log  string
	}{
		{"another nonce", claim("nonce", "other"), "another nonce"},
		{"no nonce", claim("nonce", ""), "another nonce"},
		{"another audience", claim("aud", "other"), "expected audience"},
		{"another authorized party", claim("azp", "other"), "issued to another client"},
		{"several audiences without an authorized party", claim("aud", []string{oidctest.ClientID, "other"}), "issued to another client"},
		{"another issuer in the token", claim("iss", "https://evil.test"), "different provider"},
		{"an expired token", claim("exp", fake.Start.Add(-time.Minute-time.Second).Unix()), "expired"},
		{"a token of the future", claim("nbf", fake.Start.Add(time.Hour).Unix()), "before the nbf"},
		{"no subject", claim("sub", ""), "no subject"},
		{"a text as audience", claim("aud", "the account of Ada is disabled"), "expected audience"},
		{"a text as issuer", claim("iss", "the account of Ada is disabled"), "different provider"},
		{"a text as expiry", claim("exp", "the account of Ada is disabled"), "failed to unmarshal claims"},
		{"a text as time of issue", claim("iat", "the account of Ada is disabled"), "failed to unmarshal claims"},
		{"a text as beginning", claim("nbf", "the account of Ada is disabled"), "failed to unmarshal claims"},
		{"a text as lifetime of the access token", func(_ *world, p *oidctest.Provider) {
			p.Before = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/token" {
					w.Header().Set("Content-Type", "application/json")
					_, _ = w.Write([]byte(`{"access_token":"a","token_type":"Bearer","expires_in":"the account of Ada is disabled"}`))
				}
				return r.URL.Path == "/token"
			}
		}, "cannot parse json"},
		{"another access token", claim("at_hash", "AAAA"), "access token hash"},
		{"a key that is not published", func(_ *world, p *oidctest.Provider) { p.Key = oidctest.Keys()[1] }, "failed to verify"},
		{"no signature", func(_ *world, p *oidctest.Provider) { p.Header = map[string]any{"alg": "none"} }, "malformed jwt"},
		{"a symmetric signature", func(_ *world, p *oidctest.Provider) { p.Header = map[string]any{"alg": "HS256"} }, "malformed jwt"},
		{"another issuer in the metadata", func(_ *world, p *oidctest.Provider) {
			p.Metadata = map[string]any{"issuer": "https://evil.test"}
		}, "did not match the issuer"},
		{"another issuer in the address", func(_ *world, p *oidctest.Provider) {
			p.Callback = func(v url.Values) { v.Set("iss", "https://evil.test") }
		}, "another issuer"},
		{"an issuer that is missing in the address", func(_ *world, p *oidctest.Provider) {
			p.Callback = func(v url.Values) { v.Del("iss") }
		}, "another issuer"},
		{"an address that is a script", func(_ *world, p *oidctest.Provider) {
			p.Metadata = map[string]any{"authorization_endpoint": "javascript:alert(1)"}
		}, "does not begin with"},
		{"no keys", func(_ *world, p *oidctest.Provider) { p.Metadata = map[string]any{"jwks_uri": ""} }, "does not begin with"},
		{"many keys", func(_ *world, p *oidctest.Provider) {
			p.Publish(slices.Repeat(oidctest.Keys()[1:], 21)...)
		}, "publishes 21 keys"},
		{"only long keys", func(_ *world, p *oidctest.Provider) {
			p.Publish()
			p.FurtherKeys = longKeys
		}, "each key of the issuer is too long"},
		{"only long keys, under a name in capitals", func(_ *world, p *oidctest.Provider) {
			p.Publish()
			p.FurtherKeys, p.KeysName = longKeys, "KEYS"
		}, "each key of the issuer is too long"},
		{"five keys on P-384", func(_ *world, p *oidctest.Provider) {
			p.FurtherKeys = slices.Repeat([]map[string]any{onP384("sig")}, 5)
		}, "takes too long"},
		{"keys with a member of another type", func(_ *world, p *oidctest.Provider) {
			p.FurtherKeys = []map[string]any{{"kty": "RSA", "Kid": 5}}
		}, "the keys of the issuer"},
		{"a token with a long header", func(_ *world, p *oidctest.Provider) {
			p.Header = map[string]any{"x5c": []string{strings.Repeat("A", 2<<10)}}
		}, "the header of the token is longer"},
		{"a token with very many claims", claim("groups", make([]int, 1001)), "more than 1000 members"},
		{"UserInfo with very many members", func(_ *world, p *oidctest.Provider) { p.Person["groups"] = make([]int, 1001) }, "more than 1000 members"},
		{"UserInfo with a long header", func(_ *world, p *oidctest.Provider) {
			p.Before = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/userinfo" {
					w.Header().Set("Content-Type", "application/jwt")
					_, _ = w.Write([]byte(strings.Repeat("e", 4<<10) + ".e30.e30"))
				}
				return r.URL.Path == "/userinfo"
			}
		}, "the header of the token is longer"},
		{"UserInfo about another person", func(_ *world, p *oidctest.Provider) {
			p.Claims = func(c map[string]any) { c["sub"] = "eve" }
		}, "another person"},
		{"a number instead of a boolean", func(_ *world, p *oidctest.Provider) { p.Person["email_verified"] = 1 }, "userinfo"},
		{"another client secret", func(w *world, _ *oidctest.Provider) { w.school.ClientSecret = "wrong" }, "invalid_grant"},
		{"another code verifier", func(w *world, p *oidctest.Provider) {
			p.Callback = func(url.Values) { w.asked.Verifier = strings.Repeat("x", 64) }
		}, "invalid_grant"},
		{"a refused UserInfo", func(_ *world, p *oidctest.Provider) {
			p.Before = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/userinfo" {
					http.Error(w, "the account of Ada is disabled", http.StatusForbidden)
				}
				return r.URL.Path == "/userinfo"
			}
		}, "403 Forbidden"},
		{"a refusal without a text in its status line", rawUserInfo("403 \r\n\r\nthe account of Ada is disabled"), "403 Forbidden"},
		{"a text in the status line", rawUserInfo("403 the account of Ada is disabled\r\n\r\n"), "403 Forbidden"},
		{
			"a malformed trailer", rawUserInfo("200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\n{}\r\n0\r\nthe account of Ada is disabled\r\n\r\n"),
			"malformed MIME header",
		},
		{"refused keys", respondToKeys(http.StatusForbidden, "the account of Ada is disabled"), "get keys failed: 403"},
		{"keys that are not JSON", respondToKeys(http.StatusOK, `{"keys": [], "note": "the account of Ada is disabled"`), "keys"},
		{"an unknown status", rawUserInfo("460 \r\n\r\nthe account of Ada is disabled"), "460 Unknown"},
		{"a long response", func(_ *world, p *oidctest.Provider) { p.Person["name"] = strings.Repeat("x", 64<<10) }, "too large"},
		{"a redirect to an address of this machine", func(_ *world, p *oidctest.Provider) {
			p.Before = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/token" {
					http.Redirect(w, r, p.URL+"/elsewhere", http.StatusTemporaryRedirect)
				}
				return r.URL.Path == "/token"
			}
		}, "307"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t)
			tt.set(w, w.provider)
			_, err := w.sso.SignInURL(t.Context(), w.school, w.asked)
			if err == nil {
				var found signin.Identity
				found, err = w.identify(w.visit())
				is.Equal(found, signin.Identity{})
			}
			is.True(fault.Is(err, fault.Forbidden))
			is.True(strings.Contains(w.log.String(), tt.log))
			is.True(!strings.Contains(w.log.String(), "account of Ada")) // a description can contain names
			is.True(w.log.Len() < 1000)
		})
	}
}

// The log contains no part of a response that is not HTTP, because it can contain names.
func TestMalformedResponses(t *testing.T) {
	for name, tt := range map[string]struct{ response, log string }{
		"a malformed header":                {"200 OK\r\nthe account of Ada\r\n\r\n", "malformed MIME header"},
		"a header that begins with a space": {"200 OK\r\n the account of Ada\r\n\r\n", "malformed MIME header"},
		"a malformed length":                {"200 OK\r\nContent-Length: the account of Ada\r\n\r\n", "bad Content-Length"},
		"an unknown encoding":               {"200 OK\r\nTransfer-Encoding: the account of Ada\r\n\r\n", "unsupported transfer encoding"},
		"no status":                         {"the account of Ada", "malformed HTTP status code"},
	} {
		t.Run(name, func(t *testing.T) {
			is, w := is.New(t), newWorld(t)
			rawUserInfo(tt.response)(w, w.provider)
			_, err := w.identify(w.visit())
			is.True(fault.Is(err, fault.Unavailable))
			is.True(strings.Contains(w.log.String(), tt.log))
			is.True(!strings.Contains(w.log.String(), "account of Ada"))
		})
	}
}

// rawUserInfo makes the provider respond to requests for UserInfo with the given text after the
// version of HTTP.
func rawUserInfo(response string) func(*world, *oidctest.Provider) {
	return func(_ *world, p *oidctest.Provider) {
		p.Before = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/userinfo" {
				return false
			}
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = conn.Write([]byte("HTTP/1.1 " + response))
				_ = conn.Close()
			}
			return true
		}
	}
}

// respondToKeys makes a provider whose ID token has an unknown key, and whose second response with keys
// has the given status and body.
func respondToKeys(status int, body string) func(*world, *oidctest.Provider) {
	return func(_ *world, p *oidctest.Provider) {
		p.Header = map[string]any{"kid": "unknown"}
		p.Before = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/keys" {
				return false
			}
			http.Error(w, body, status)
			return true
		}
	}
}

// longKeys contains keys whose signatures take long to check.
var longKeys = []map[string]any{
	{"kty": "RSA", "kid": "0", "n": strings.Repeat("z", 684), "e": "AQAB"},
	{"kty": "RSA", "kid": "0", "n": strings.Repeat("z", 683), "e": "f____w"},
	{"kty": "RSA", "kid": "0", "n": strings.Repeat("z", 683), "e": strings.Repeat("z", 60)},
	{"kty": "EC", "kid": "0", "crv": "P-521", "x": strings.Repeat("A", 88), "y": strings.Repeat("A", 88)},
	{"kty": "oct", "kid": "0", "k": "AAAA"},
}

// onP384 returns a key on P-384.
func onP384(use string) map[string]any {
	return map[string]any{
		"kty": "EC", "kid": "0", "use": use, "crv": "P-384",
		"x": "qofKIr6LBTeOscce8yCtdG4dO2KLp5uYWfdB4IJUKjhVAvJdv1UpbDpUXjhydgq3",
		"y": "NhfeSpYmLG9dnpi_kpLcKfj0Hb0omhR86doxE7XwuMAKYLHOHX6BnXpDHXyQ6g5f",
	}
}

// An issuer can publish keys for encryption, next to those that sign tokens.
func TestLongKeysAreIgnored(t *testing.T) {
	is, w := is.New(t), newWorld(t)
	w.provider.FurtherKeys = append(slices.Repeat([]map[string]any{onP384("enc")}, 8), longKeys...)
	_, err := w.identify(w.visit())
	is.NoErr(err)
}

func TestCodeIsUsedOnce(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	r := w.visit()
	_, err := w.identify(r)
	is.NoErr(err)
	_, err = w.identify(r)
	is.True(fault.Is(err, fault.Forbidden))
}

// Names of claims are case-sensitive. A provider can let people choose other names.
func TestClaimsInCapitals(t *testing.T) {
	is, w := is.New(t), newWorld(t)
	delete(w.provider.Person, "email_verified")
	delete(w.provider.Person, "given_name")
	w.provider.Person["EMAIL_VERIFIED"], w.provider.Person["Given_Name"] = true, "Eve"
	found, err := w.identify(w.visit())
	is.NoErr(err)
	is.Equal(found, signin.Identity{Email: "ada@example.test", LastName: "Lovelace"})
}
