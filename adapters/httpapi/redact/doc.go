// Package redact removes from texts what must not be logged: keys, email addresses,
// signatures and tokens. Start at Text and Path.
package redact
