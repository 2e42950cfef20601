// Package webhooks sends webhook messages by HTTP, with the signatures of Standard Webhooks. Start
// with New.
package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"lyceum/adapters/limiter"
	"lyceum/adapters/outgoing"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// MaxBody is the maximum number of bytes that are read of a response.
const MaxBody = 4 << 10

var _ ports.WebhookSender = Sender{}

// Sender implements ports.WebhookSender.
type Sender struct {
	client *http.Client
	turns  *limiter.Limiter
}

// New returns a Sender that sends with client, which should follow no redirects. A message takes a
// slot of turns while it is signed, which takes time of a processor.
func New(client *http.Client, turns *limiter.Limiter) Sender { return Sender{client, turns} }

// Send implements ports.WebhookSender.
func (s Sender) Send(ctx context.Context, m ports.WebhookMessage) webhook.Result {
	signatures, err := s.sign(ctx, m)
	start, status := time.Now(), 0
	if err == nil {
		status, err = s.post(ctx, m, signatures)
	}
	r := webhook.Result{Status: status, Duration: time.Since(start)}
	if err != nil {
		r.Error = describe(err)
	}
	return r
}

// post sends a message and returns the status of the response.
func (s Sender) post(ctx context.Context, m ports.WebhookMessage, signatures []string) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Lyceum")
	r.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	r.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(m.At.Unix(), 10))
	r.Header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	response, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, response.Body) // so that the connection can be used again
	return response.StatusCode, nil
}

// sign returns a signature of m for each of its secrets.
func (s Sender) sign(ctx context.Context, m ports.WebhookMessage) ([]string, error) {
	slot, err := s.turns.Acquire(ctx, limiter.Origin{School: m.School.UUID})
	if err != nil {
		return nil, err
	}
	defer slot.Release()
	signatures := make([]string, len(m.Secrets))
	for i, secret := range m.Secrets {
		signer, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, err
		}
		if signatures[i], err = signer.Sign(m.ID, m.At, m.Body); err != nil {
			return nil, err
		}
	}
	return signatures, nil
}

// describe returns a short text for an error. It does not contain addresses, which clients must not
// learn, and is the same for unknown names and for names of private addresses, so that clients do not
// learn the names in the network of this server.
func describe(err error) string {
	var timeout net.Error
	var unknown *net.DNSError
	var untrusted *tls.CertificateVerificationError
	var host x509.HostnameError
	switch {
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "No response in time"
	case errors.Is(err, outgoing.ErrPrivate), errors.As(err, &unknown):
		return "The host has no public address"
	case errors.As(err, &untrusted), errors.As(err, &host), errors.Is(err, outgoing.ErrCertificates):
		return "The certificate of the host is not valid"
	}
	return "The connection failed"
}
