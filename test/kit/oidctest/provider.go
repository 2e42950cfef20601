// Package oidctest is an OpenID Connect provider for tests, which can misbehave. Start at New.
package oidctest

import (
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// The client that is registered at every provider.
const (
	ClientID     = "lyceum"
	ClientSecret = "client secret"
)

// Provider is a fake OpenID Connect provider at which one person is signed in. A test sets its
// fields before it sends requests.
type Provider struct {
	URL string
	Now func() time.Time // nil: time.Now

	Person      map[string]any         // claims about the person
	InToken     bool                   // whether ID tokens contain the claims of Person
	Metadata    map[string]any         // replaces values of the metadata
	Claims      func(c map[string]any) // changes the claims of ID tokens; nil: no change
	Header      map[string]any         // replaces values of the header of ID tokens
	Key         *rsa.PrivateKey        // signs ID tokens
	FurtherKeys []map[string]any       // further keys that the provider publishes, as JSON Web Keys
	KeysName    string                 // name of the member with the keys; blank: keys
	Reuse       bool                   // accepts a code more than once
	// Before is called first for each request, and reports whether it has responded. nil: none
	Before   func(w http.ResponseWriter, r *http.Request) (handled bool)
	Callback func(returned url.Values) // changes the parameters with which the browser returns

	mu       sync.Mutex
	codes    map[string]url.Values // parameters of the authorization request by code
	requests map[string]int        // by path
	public   []*rsa.PrivateKey     // keys that the provider publishes
}

// New starts a provider at which ada@example.test is signed in.
func New(t *testing.T) *Provider {
	t.Helper()
	p := &Provider{
		Person: map[string]any{"sub": "ada", "email": "ada@example.test", "email_verified": true, "given_name": "Ada", "family_name": "Lovelace"},
		Key:    Keys()[0], codes: map[string]url.Values{}, requests: map[string]int{}, public: Keys()[:1],
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.metadata)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /userinfo", p.userInfo)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.requests[r.URL.Path]++
		p.mu.Unlock()
		if p.Before == nil || !p.Before(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Requests returns how many requests the provider has received for a path.
func (p *Provider) Requests(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests[path]
}

// Publish replaces the keys that the provider publishes.
func (p *Provider) Publish(keys ...*rsa.PrivateKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.public = keys
}

func (p *Provider) metadata(w http.ResponseWriter, _ *http.Request) {
	all := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"userinfo_endpoint": p.URL + "/userinfo", "id_token_signing_alg_values_supported": []string{"RS256"},
		"authorization_response_iss_parameter_supported": true,
	}
	maps.Copy(all, p.Metadata)
	respond(w, all)
}

// authorize sends the browser back with a code.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	code := "code of " + query.Get("state")
	p.mu.Lock()
	p.codes[code] = query
	p.mu.Unlock()
	returned := url.Values{"code": {code}, "state": {query.Get("state")}, "iss": {p.URL}}
	if query.Get("client_id") != ClientID || query.Get("code_challenge_method") != "S256" {
		returned = url.Values{"error": {"invalid_request"}, "state": {query.Get("state")}, "iss": {p.URL}}
	}
	if p.Callback != nil {
		p.Callback(returned)
	}
	http.Redirect(w, r, query.Get("redirect_uri")+"?"+returned.Encode(), http.StatusFound)
}

// token exchanges a code for an ID token.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	secret, _ = url.QueryUnescape(secret)
	p.mu.Lock()
	asked, known := p.codes[r.PostFormValue("code")]
	if !p.Reuse {
		delete(p.codes, r.PostFormValue("code"))
	}
	p.mu.Unlock()
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || id != ClientID || secret != ClientSecret || r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") ||
		base64.RawURLEncoding.EncodeToString(challenge[:]) != asked.Get("code_challenge") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		respond(w, map[string]any{"error": "invalid_grant", "error_description": "The account of Ada is locked"})
		return
	}
	respond(w, map[string]any{
		"access_token": "access", "token_type": "Bearer", "expires_in": 60, "id_token": p.idToken(asked.Get("nonce")),
	})
}

func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer access" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	respond(w, p.Person)
}

func respond(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}
