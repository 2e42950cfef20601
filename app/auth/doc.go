// Package auth finds out on whose behalf a client acts: by an API key, by the token of a learner,
// or by the session of a person who has signed in to the academy. It creates and ends the tokens
// and sessions: Authenticator checks keys and tokens, Tokens manages learner tokens, and SignIns
// signs people in by emailed links, by entry links of the system of a school, or by single sign-on.
package auth
