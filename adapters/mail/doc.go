// Package mail delivers invitations: to a mail server, or to the log where there
// is none.
//
// A letter that is delivered again keeps its Message-ID, so that whoever gets it
// twice can tell. No log names an address.
package mail
