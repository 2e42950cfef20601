// Package redact removes secrets and personal data from texts for the log: keys, email addresses,
// signatures and tokens. Start at Text and Path.
package redact
