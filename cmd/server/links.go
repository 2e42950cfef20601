package server

import (
	"net/url"
	"strings"

	"lyceum/adapters/httpapi"
)

// linksOn returns the bases of all links of a server that listens on address:
// those of l, without a trailing slash, and where one is blank what follows from
// the API's.
func linksOn(address string, l httpapi.Links) httpapi.Links {
	base := or(l.Base, address)
	return httpapi.Links{
		Base:     base,
		App:      or(l.App, base+"/app"),
		Academy:  or(l.Academy, base+"/learn"),
		Download: or(l.Download, base+"/files"),
	}
}

func or(base, instead string) string {
	if base == "" {
		return instead
	}
	return strings.TrimRight(base, "/")
}

// hostsOf returns the host under which clients know the API, for the
// certificate.
func hostsOf(l httpapi.Links) []string {
	if u, err := url.Parse(l.Base); err == nil && u.Hostname() != "" {
		return []string{u.Hostname()}
	}
	return nil
}
