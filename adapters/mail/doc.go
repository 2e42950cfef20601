// Package mail delivers invitation and sign-in emails to a mail server, or only logs them if none
// is configured. A repeated delivery has the same Message-ID, so that mail clients can recognize
// it. No log message contains an address.
package mail
