package sso

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"lyceum/domain/school"
	"lyceum/domain/signin"
)

// clockSkew is by how much the clock of a provider may be slow.
const clockSkew = time.Minute

// client returns the client of a school for an authorization.
func (p provider) client(of school.Provider, a signin.Authorization) *oauth2.Config {
	endpoint := oauth2.Endpoint{AuthURL: p.AuthURL, TokenURL: p.TokenURL, AuthStyle: oauth2.AuthStyleInHeader}
	basic := len(p.AuthMethods) == 0 || slices.Contains(p.AuthMethods, "client_secret_basic")
	if !basic && slices.Contains(p.AuthMethods, "client_secret_post") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: of.ClientID, ClientSecret: of.ClientSecret, Endpoint: endpoint, RedirectURL: a.Redirect, Scopes: scopes,
	}
}

// identify exchanges the code in r for an ID token, and returns the identity in the token or in the
// UserInfo response.
func (p provider) identify(
	ctx context.Context, of school.Provider, a signin.Authorization, r signin.Returned, now time.Time,
) (signin.Identity, error) {
	if r.Issuer != of.Issuer && (r.Issuer != "" || p.SendsIssuer) { // RFC 9207
		return signin.Identity{}, errors.New("sso: the browser returned from another issuer")
	}
	tokens, err := p.client(of, a).Exchange(ctx, r.Code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return signin.Identity{}, err
	}
	token, err := p.verify(ctx, of, a, tokens, now)
	if err != nil {
		return signin.Identity{}, err
	}
	var stated claims
	if err := token.Claims(&stated); err != nil {
		return signin.Identity{}, err
	}
	if (stated.Email == "" || stated.Verified == nil) && p.UserInfoURL != "" {
		if stated, err = p.userInfo(ctx, tokens, token.Subject); err != nil {
			return signin.Identity{}, err
		}
	}
	return stated.identity(), nil
}

// verify returns the ID token in tokens. Package oidc checks its signature, issuer, audience and
// expiry.
func (p provider) verify(
	ctx context.Context, of school.Provider, a signin.Authorization, tokens *oauth2.Token, now time.Time,
) (*oidc.IDToken, error) {
	raw, _ := tokens.Extra("id_token").(string)
	if err := checkToken(raw); err != nil {
		return nil, err
	}
	verifier := p.Verifier(&oidc.Config{ClientID: of.ClientID, Now: func() time.Time { return now.Add(-clockSkew) }})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		return nil, err
	}
	var party struct {
		Authorized string `json:"azp"`
	}
	if err := token.Claims(&party); err != nil {
		return nil, err
	}
	switch {
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(a.Nonce)) != 1:
		return nil, errors.New("sso: the ID token has another nonce")
	case party.Authorized != of.ClientID && (party.Authorized != "" || len(token.Audience) > 1):
		return nil, errors.New("sso: the ID token was issued to another client")
	case token.Subject == "":
		return nil, errors.New("sso: the ID token has no subject")
	case token.AccessTokenHash != "":
		return token, token.VerifyAccessToken(tokens.AccessToken)
	}
	return token, nil
}

// userInfo returns the claims in the UserInfo response, which must be about the subject of the ID
// token.
func (p provider) userInfo(ctx context.Context, tokens *oauth2.Token, subject string) (stated claims, err error) {
	info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	if err != nil {
		return stated, err
	}
	if info.Subject != subject {
		return stated, errors.New("sso: the UserInfo response is about another person")
	}
	return stated, info.Claims(&stated)
}

// claims contains what a provider states about a person.
type claims struct {
	Email     string
	Verified  any // some providers send a string; nil: missing
	FirstName string
	LastName  string
	Name      string
}

// UnmarshalJSON implements json.Unmarshaler. Names of claims are case-sensitive (RFC 7519, section
// 4), unlike those of package json: a provider may let people choose other claims, such as Email.
func (c *claims) UnmarshalJSON(text []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for name, value := range map[string]any{
		"email": &c.Email, "email_verified": &c.Verified, "given_name": &c.FirstName, "family_name": &c.LastName, "name": &c.Name,
	} {
		claim, ok := all[name]
		if !ok {
			continue
		}
		if err := json.Unmarshal(claim, value); err != nil {
			return fmt.Errorf("sso: the claim %s: %w", name, err)
		}
	}
	return nil
}

func (c claims) identity() signin.Identity {
	i := signin.Identity{
		Email: strings.TrimSpace(c.Email), Verified: c.Verified == true || c.Verified == "true", FirstName: c.FirstName, LastName: c.LastName,
	}
	if i.FirstName == "" && i.LastName == "" {
		i.FirstName = c.Name
	}
	return i
}
