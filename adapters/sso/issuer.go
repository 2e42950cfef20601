package sso

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"lyceum/domain/fault"
)

const (
	// metadataAge is how long the metadata of an issuer is used before it is requested again.
	metadataAge = time.Hour
	// staleAge is how long the metadata is used if the issuer does not respond.
	staleAge = 24 * time.Hour
	// failureAge is how long a failed request for metadata is not repeated.
	failureAge = 5 * time.Second
	// slots is the maximum number of concurrent sign-ins of a school at one issuer, and slotWait how long a
	// sign-in waits for a slot.
	slots    = 8
	slotWait = 2 * time.Second
)

// issuer contains what is known about an issuer for one school. Sign-ins at one issuer do not wait
// for those at another.
type issuer struct {
	url   string
	slots chan struct{} // semaphore: has an element for each running sign-in

	mu      sync.Mutex
	known   provider // zero: not known
	knownAt time.Time
	failure error     // of the last request for metadata
	next    time.Time // when the metadata is requested again
}

func newIssuer(url string) *issuer { return &issuer{url: url, slots: make(chan struct{}, slots)} }

// enter waits for a slot. It returns a function that releases the slot, or Unavailable if no slot
// is free in time.
func (i *issuer) enter(ctx context.Context) (release func(), err error) {
	limit := time.NewTimer(slotWait)
	defer limit.Stop()
	select {
	case i.slots <- struct{}{}:
		return func() { <-i.slots }, nil
	case <-limit.C:
		return nil, fault.Unavailablef("The sign-in service of the school is too slow")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// discover returns the metadata of the issuer. Concurrent calls send one request.
func (i *issuer) discover(ctx context.Context, now time.Time) (provider, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !now.Before(i.next) {
		found, err := request(ctx, i.url)
		switch {
		case err == nil:
			i.known, i.knownAt, i.failure, i.next = found, now, nil, now.Add(metadataAge)
		case ctx.Err() != nil: // the client has disconnected
			return provider{}, err
		default:
			i.failure, i.next = err, now.Add(failureAge)
		}
	}
	if i.known.Provider == nil || now.Sub(i.knownAt) >= staleAge {
		return provider{}, i.failure
	}
	return i.known, nil
}

// provider contains the metadata of an issuer and its keys, which are requested when a token is
// signed with an unknown key.
type provider struct {
	*oidc.Provider
	endpoints
}

// endpoints contains the metadata that package oidc does not return.
type endpoints struct {
	AuthURL     string   `json:"authorization_endpoint"`
	TokenURL    string   `json:"token_endpoint"`
	KeysURL     string   `json:"jwks_uri"`
	UserInfoURL string   `json:"userinfo_endpoint"`
	AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
	SendsIssuer bool     `json:"authorization_response_iss_parameter_supported"`
}

// request requests the metadata of an issuer.
func request(ctx context.Context, url string) (provider, error) {
	found, err := oidc.NewProvider(ctx, url)
	if err != nil {
		return provider{}, err
	}
	p := provider{Provider: found}
	if err := found.Claims(&p.endpoints); err != nil {
		return provider{}, err
	}
	scheme, _, _ := strings.Cut(url, "://")
	for _, address := range []string{p.AuthURL, p.TokenURL, p.KeysURL, p.UserInfoURL} {
		if address != "" && !strings.HasPrefix(address, scheme+"://") || address == "" && address != p.UserInfoURL {
			return provider{}, fmt.Errorf("sso: the address %q in the metadata does not begin with %s://", address, scheme)
		}
	}
	return p, nil
}
