package oidctest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Keys returns two keys that are the same in all tests of a program.
var Keys = sync.OnceValue(func() []*rsa.PrivateKey {
	keys := make([]*rsa.PrivateKey, 2)
	for i := range keys {
		var err error
		if keys[i], err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			panic(err)
		}
	}
	return keys
})

// idToken returns a signed ID token.
func (p *Provider) idToken(nonce string) string {
	now := time.Now()
	if p.Now != nil {
		now = p.Now()
	}
	claims := map[string]any{
		"iss": p.URL, "aud": ClientID, "sub": p.Person["sub"], "nonce": nonce, "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
	}
	if p.InToken {
		maps.Copy(claims, p.Person)
	}
	if p.Claims != nil {
		p.Claims(claims)
	}
	header := map[string]any{"alg": "RS256", "typ": "JWT", "kid": keyID(p.Key)}
	maps.Copy(header, p.Header)
	signed := encode(header) + "." + encode(claims)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(nil, p.Key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// keys responds with the public keys.
func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := []map[string]any{}
	for _, k := range p.public {
		all = append(all, map[string]any{
			"x5c": []string{"not a certificate"}, // no check needs it
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": keyID(k), "n": base64.RawURLEncoding.EncodeToString(k.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(k.E)).Bytes()),
		})
	}
	name := p.KeysName
	if name == "" {
		name = "keys"
	}
	respond(w, map[string]any{name: append(all, p.FurtherKeys...)})
}

func keyID(k *rsa.PrivateKey) string {
	for i, known := range Keys() {
		if known.Equal(k) {
			return strconv.Itoa(i)
		}
	}
	return "unknown"
}
