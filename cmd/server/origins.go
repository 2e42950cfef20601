package server

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// checkOrigins returns an error for each entry of Origins that does not have the form in which
// browsers send an origin.
func (c Config) checkOrigins() error {
	if len(c.Origins) == 1 && c.Origins[0] == "*" {
		return nil
	}
	var errs []error
	for _, o := range c.Origins {
		if o == "*" {
			errs = append(errs, errors.New("cors.origins: * must be the only entry"))
			continue
		}
		if err := checkOrigin(o); err != nil {
			errs = append(errs, fmt.Errorf("cors.origins: %w", err))
		}
	}
	return errors.Join(errs...)
}

// checkMedia returns an error for each entry of Media that is not an origin with the scheme https.
func (c Config) checkMedia() error {
	var errs []error
	for _, o := range c.Media {
		err := checkOrigin(o)
		if err == nil && (!strings.HasPrefix(o, "https://") || strings.ContainsAny(o, ";'\"")) {
			err = fmt.Errorf("%q must begin with https://", o)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("media-src: %w", err))
		}
	}
	return errors.Join(errs...)
}

func checkOrigin(o string) error {
	u, err := url.Parse(o)
	if err != nil || u.User != nil { // the error of the parser and the text may contain a password
		return errors.New("an entry is not an origin, such as https://learn.example")
	}
	host := u.Hostname()
	if u.Scheme != "http" && u.Scheme != "https" || host == "" || strings.ContainsAny(host, "*, ") {
		return fmt.Errorf("%q is not an origin, such as https://learn.example", o)
	}
	if sent := originOf(u); o != sent {
		return fmt.Errorf("%q is not in the form that browsers send: %s", o, sent)
	}
	return nil
}

// originOf returns the origin of a URL in the form that browsers use: the scheme, the lowercase
// host and a port that is not the default of the scheme (RFC 6454, section 6.2).
func originOf(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return u.Scheme + "://" + host
	}
	return u.Scheme + "://" + net.JoinHostPort(host, port)
}
