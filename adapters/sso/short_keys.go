package sso

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	// maxKeys is the maximum number of keys of an issuer, and maxDuration the maximum duration of a
	// check of a signature with each of them: a token need not name its key.
	maxKeys     = 20
	maxDuration = 2500 * time.Microsecond
	// maxRSAExponent is the maximum exponent of RSA keys. A check with a large one takes several
	// milliseconds.
	maxRSAExponent = 1<<16 + 1
	// maxElements is the maximum number of members and elements in a response or in the claims of a
	// token, which are parsed several times.
	maxElements = 1000
	// maxTokenHeader is the maximum length of the encoded header of a token. A header can contain
	// certificates, which would be parsed before the signature is checked.
	maxTokenHeader = 2 << 10
)

// curves contains the curves of keys, with the duration of a check. One with P-521 takes several
// milliseconds.
var curves = map[string]time.Duration{
	"P-256": 70 * time.Microsecond, "P-384": 550 * time.Microsecond, "Ed25519": 50 * time.Microsecond,
}

// moduli contains the maximum numbers of bits of RSA keys, with the duration of a check. One with a
// longer key takes a millisecond or more.
var moduli = []struct {
	bits     int
	duration time.Duration
}{{2048, 40 * time.Microsecond}, {3072, 170 * time.Microsecond}, {4096, 360 * time.Microsecond}}

// shortKeys ignores the keys of an issuer whose signatures take long to check. The size of a
// response must be limited.
type shortKeys struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t shortKeys) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err == nil {
		response.Body = &checkedBody{ReadCloser: response.Body}
	}
	return response, err
}

// checkedBody is the body of a response. Its first Read reads the whole body, and returns an error
// if the body is a set of keys or a token that takes long to process. An error of RoundTrip would
// mean that the issuer does not respond.
type checkedBody struct {
	io.ReadCloser
	all io.Reader // nil: not read
}

// Read implements io.Reader.
func (b *checkedBody) Read(p []byte) (int, error) {
	if b.all != nil {
		return b.all.Read(p)
	}
	body, err := io.ReadAll(b.ReadCloser)
	if err != nil {
		return 0, err
	}
	if body, err = check(body); err != nil {
		return 0, err
	}
	b.all = bytes.NewReader(body)
	return b.all.Read(p)
}

// check returns the body of a response, or an error if it takes long to process. From a set of keys
// it removes long keys, and what no check of a signature needs, such as certificates.
func check(body []byte) ([]byte, error) {
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return body, checkToken(string(body)) // a UserInfo response can be a token
	}
	if err := checkElements(body); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, fmt.Errorf("sso: a response of the issuer: %w", err)
	}
	changed := false
	for name, raw := range members {
		if !strings.EqualFold(name, "keys") { // package json ignores the case of names
			continue
		}
		keys, err := withoutLong(raw)
		if err != nil {
			return nil, err
		}
		members[name], changed = keys, true
	}
	if !changed {
		return body, nil
	}
	return json.Marshal(members)
}

// checkElements refuses JSON with very many members and elements.
func checkElements(text []byte) error {
	if bytes.Count(text, []byte(",")) >= maxElements {
		return fmt.Errorf("sso: a response of the issuer has more than %d members and elements", maxElements)
	}
	return nil
}

// withoutLong returns the short keys of a set. An issuer can have further keys for another use,
// which sign no tokens.
func withoutLong(set json.RawMessage) (json.RawMessage, error) {
	var keys []publicKey
	if err := json.Unmarshal(set, &keys); err != nil {
		return nil, fmt.Errorf("sso: the keys of the issuer: %w", err)
	}
	if len(keys) > maxKeys {
		return nil, fmt.Errorf("sso: the issuer publishes %d keys, more than %d", len(keys), maxKeys)
	}
	published := len(keys)
	keys = slices.DeleteFunc(keys, func(k publicKey) bool { return k.duration() == 0 || k.Use == "enc" })
	if len(keys) == 0 && published > 0 {
		return nil, errors.New("sso: each key of the issuer is too long or of an unknown kind")
	}
	var all time.Duration
	for _, k := range keys {
		all += k.duration()
	}
	if all > maxDuration {
		return nil, errors.New("sso: a check of a signature with the keys of the issuer takes too long")
	}
	return json.Marshal(keys)
}

// checkToken refuses a token with a long header or very many claims.
func checkToken(token string) error {
	header, rest, ok := strings.Cut(token, ".")
	if ok && len(header) > maxTokenHeader {
		return fmt.Errorf("sso: the header of the token is longer than %d bytes", maxTokenHeader)
	}
	payload, _, _ := strings.Cut(rest, ".")
	if claims, err := base64.RawURLEncoding.DecodeString(payload); err == nil {
		return checkElements(claims)
	}
	return nil // package oidc refuses the token
}

// publicKey contains the members of a key that a check of a signature needs (RFC 7518, section 6,
// and RFC 8037, section 2).
type publicKey struct {
	Type      string `json:"kty"`
	ID        string `json:"kid,omitempty"`
	Use       string `json:"use,omitempty"`
	Algorithm string `json:"alg,omitempty"`
	Modulus   string `json:"n,omitempty"`
	Exponent  string `json:"e,omitempty"`
	Curve     string `json:"crv,omitempty"`
	X         string `json:"x,omitempty"`
	Y         string `json:"y,omitempty"`
}

// duration returns about how long a check of a signature with k takes, or 0 if it takes too long or
// the kind of k is unknown.
func (k publicKey) duration() time.Duration {
	switch k.Type {
	case "RSA":
		exponent, err := base64.RawURLEncoding.DecodeString(k.Exponent)
		if e := new(big.Int).SetBytes(exponent); err != nil || !e.IsInt64() || e.Int64() > maxRSAExponent {
			return 0
		}
		for _, m := range moduli {
			if base64.RawURLEncoding.DecodedLen(len(k.Modulus)) <= m.bits/8 {
				return m.duration
			}
		}
	case "EC", "OKP":
		return curves[k.Curve]
	}
	return 0
}
