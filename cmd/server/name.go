package server

import (
	"errors"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the maximum length of a server's name in bytes.
const maxName = 200

// name returns the configured name or, if it is blank, the host name and the listen address.
func (c Config) name() string {
	if c.Name != "" {
		return c.Name
	}
	host, err := os.Hostname()
	if err != nil {
		return "" // a server without a name cannot release leases early
	}
	return host + "/" + c.Transport.Addr
}

func (c Config) checkName() error {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if len(c.Name) > maxName || !utf8.ValidString(c.Name) || strings.ContainsFunc(c.Name, unprintable) {
		return errors.New("server.name: must be a string of at most 200 bytes without control characters")
	}
	return nil
}
