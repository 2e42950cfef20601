// Package sso tests single sign-on of the server program against the example provider of
// zitadel/oidc. It is a separate module, so that the server does not depend on the provider.
package sso
