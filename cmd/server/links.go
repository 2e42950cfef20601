package server

import (
	"net/url"
	"strings"

	"lyceum/adapters/httpapi"
)

// linksOn returns the bases of all links of a server that listens on address: the bases in l
// without a trailing slash. A blank base is derived from the base of the API.
func linksOn(address string, l httpapi.Links) httpapi.Links {
	base := firstNonBlank(l.Base, address)
	return httpapi.Links{
		Base:     base,
		App:      firstNonBlank(l.App, base+"/app"),
		Academy:  firstNonBlank(l.Academy, base+"/learn"),
		Download: firstNonBlank(l.Download, base+"/files"),
	}
}

func firstNonBlank(base, instead string) string {
	if base == "" {
		return instead
	}
	return strings.TrimRight(base, "/")
}

// hostsOf returns the host in the base of the API, for the certificate.
func hostsOf(l httpapi.Links) []string {
	if u, err := url.Parse(l.Base); err == nil && u.Hostname() != "" {
		return []string{u.Hostname()}
	}
	return nil
}
