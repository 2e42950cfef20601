package server

import (
	"errors"
	"net/url"
	"strings"

	"lyceum/adapters/httpapi"
)

// linksOn returns the base URLs of all links of a server that listens on address: the URLs in l,
// without a trailing slash. It derives blank URLs from the base URL of the API, which is address by
// default.
func linksOn(address string, l httpapi.Links) httpapi.Links {
	base := firstNonBlank(l.Base, address)
	return httpapi.Links{
		Base:     base,
		App:      firstNonBlank(l.App, base+"/app/"+httpapi.SchoolPlaceholder),
		Academy:  firstNonBlank(l.Academy, base+"/learn/"+httpapi.SchoolPlaceholder),
		Download: firstNonBlank(l.Download, base+"/files"),
	}
}

// LinksOf returns the base URLs of links for commands. It returns an error if cfg has neither the
// base URL of the API nor the base URL of the academy, because commands do not know the address of
// the server.
func LinksOf(cfg Config) (httpapi.Links, error) {
	if err := cfg.checkLinks(); err != nil {
		return httpapi.Links{}, err
	}
	if cfg.Links.Base == "" && cfg.Links.Academy == "" {
		return httpapi.Links{}, errors.New("base-url: is required, such as http://localhost:8080, because commands do not know the address of the server")
	}
	return linksOn("", cfg.Links), nil
}

func firstNonBlank(base, instead string) string {
	if base == "" {
		return instead
	}
	return strings.TrimRight(base, "/")
}

// hostsOf returns the host in the base URL of the API, or nil if there is none. The self-signed
// certificate is valid for it.
func hostsOf(l httpapi.Links) []string {
	if u, err := url.Parse(l.Base); err == nil && u.Hostname() != "" {
		return []string{u.Hostname()}
	}
	return nil
}
