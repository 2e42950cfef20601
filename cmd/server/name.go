package server

import (
	"errors"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the largest number of bytes in the name of a server.
const maxName = 200

// name returns the server's name: the one given, or the machine's name and the
// address to listen on.
func (c Config) name() string {
	if c.Name != "" {
		return c.Name
	}
	host, err := os.Hostname()
	if err != nil {
		return "" // leases then end by themselves
	}
	return host + "/" + c.Transport.Addr
}

func (c Config) checkName() error {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if len(c.Name) > maxName || !utf8.ValidString(c.Name) || strings.ContainsFunc(c.Name, unprintable) {
		return errors.New("server.name: is not a text of at most 200 bytes without control characters")
	}
	return nil
}
