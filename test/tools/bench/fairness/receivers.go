package main

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// receivers are webhook receivers in the process of the attackers, whose certificates take long to
// parse and to verify.
type receivers struct {
	once      sync.Once
	endpoints []string // URLs of their endpoints
	next      atomic.Int64
	err       error
}

// ping requests a test message to the next receiver.
func (r *receivers) ping(ctx context.Context, c *http.Client, w serverInfo) int {
	r.once.Do(func() { r.err = r.start(ctx, c, w) })
	exitOn(ctx, r.err)
	endpoint := r.endpoints[int(r.next.Add(1))%len(r.endpoints)]
	return request(ctx, c, http.MethodPost, endpoint+"/ping", w.Attacker, nil)
}

// start starts a receiver for each kind of certificate, and adds its endpoint. The receivers run
// until the process ends.
func (r *receivers) start(ctx context.Context, c *http.Client, w serverInfo) error {
	chain, err := x509.ParsePKCS1PrivateKey(w.Key)
	if err != nil {
		return err
	}
	small, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	names := make([]string, 600)
	for i := range names {
		names[i] = fmt.Sprintf("host%d.example.test", i)
	}
	for _, certificates := range []struct {
		leaf  x509.Certificate
		key   crypto.Signer
		count int
	}{
		{x509.Certificate{DNSNames: names}, small, 1},
		{x509.Certificate{Subject: pkix.Name{CommonName: strings.Repeat("x", 15<<10)}}, small, 1},
		{x509.Certificate{}, chain, 6},
	} {
		sent, err := signed(&certificates.leaf, certificates.key, certificates.count)
		if err != nil {
			return err
		}
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.TLS = &tls.Config{Certificates: []tls.Certificate{sent}}
		s.StartTLS()
		endpoint, err := addEndpoint(ctx, c, w.URL, w.Attacker, s.URL, "coupons")
		if err != nil {
			return err
		}
		r.endpoints = append(r.endpoints, endpoint)
	}
	return nil
}

// signed returns n certificates of which each is signed by the next one. The first one is based on
// a template, and all have the same key.
func signed(template *x509.Certificate, key crypto.Signer, n int) (sent tls.Certificate, err error) {
	template.SerialNumber, template.NotAfter = big.NewInt(1), time.Now().Add(time.Hour)
	for i := range n {
		authority := &x509.Certificate{
			SerialNumber: big.NewInt(int64(i + 2)), Subject: pkix.Name{CommonName: fmt.Sprintf("Authority %d", i)},
			NotAfter: template.NotAfter, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		}
		der, err := x509.CreateCertificate(rand.Reader, template, authority, key.Public(), key)
		if err != nil {
			return sent, err
		}
		sent.Certificate = append(sent.Certificate, der)
		template = authority
	}
	sent.PrivateKey = key
	return sent, nil
}

// addEndpoint adds a webhook endpoint for changes of a type to the school of a key, and returns its
// URL.
func addEndpoint(ctx context.Context, c *http.Client, server, key, receiver, recordType string) (string, error) {
	body := fmt.Sprintf(`{"data":{"type":"webhook_endpoints","attributes":{"url":%q,"types":[%q]}}}`, receiver, recordType)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server+"/v2/webhook_endpoints", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("X-Api-Key", key)
	resp, err := c.Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var added struct{ Data struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&added); err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusCreated {
		return "", errors.New("the webhook endpoint was refused: " + resp.Status)
	}
	return server + "/v2/webhook_endpoints/" + added.Data.ID, nil
}

// newKey returns a long private key in the form of PKCS #1.
func newKey() ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 4096)
	if err != nil {
		return nil, err
	}
	return x509.MarshalPKCS1PrivateKey(key), nil
}
