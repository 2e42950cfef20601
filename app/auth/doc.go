// Package auth finds out on whose behalf a client acts: by an API key, by the token of a learner,
// or by the session of a person who has signed in to the academy. It creates and ends the tokens
// and sessions.
package auth
