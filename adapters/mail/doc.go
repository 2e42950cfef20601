// Package mail delivers invitation emails to a mail server, or to the log if there is none.
// A repeated delivery has the same Message-ID, so that mail clients can recognize it. No
// log message contains an address.
package mail
