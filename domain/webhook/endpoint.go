// Package webhook defines webhooks: HTTP requests with which the server notifies other systems of
// changes in a school. An Endpoint receives them, and a Delivery is one message to an endpoint.
package webhook

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

const (
	// Feed is the name of the follower of the change feed that queues deliveries. Replays to an
	// endpoint have followers of their own (ReplayOf), and so have the changes that an endpoint
	// cannot take yet (BacklogOf).
	Feed = "webhooks"
	// Backlog is the first part of the names of BacklogOf.
	Backlog = "webhook_backlog"
	// Type is the resource type of endpoints.
	Type = "webhook_endpoints"
	// AllTypes in Endpoint.Types selects the records of all types.
	AllTypes = "*"
	// MaxEndpoints is the maximum number of endpoints of a school.
	MaxEndpoints = 20
)

// ID identifies an endpoint.
type ID struct{ uuid.UUID }

// Endpoint is a URL to which the server sends the changes of a school.
type Endpoint struct {
	ID          ID
	URL         string
	Types       []string // types of the records whose changes are sent; AllTypes: all
	Description string
	Enabled     bool
	Disabled    string // why the server has disabled the endpoint; blank: it has not
	Secret      Secret
	Health      Health
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Changes contains new attributes of an endpoint; nil: not changed.
type Changes struct {
	URL         *string
	Types       *[]string
	Description *string
	Enabled     *bool

	// Check receives the state before the changes. If it returns an error, nothing is changed.
	Check func(Endpoint) error
}

// New returns an endpoint with the secret. It is enabled and receives the changes of all records,
// unless c says otherwise.
func New(id ID, c Changes, secret Secret, plain func(host string) bool, now time.Time) (Endpoint, error) {
	e := Endpoint{ID: id, Types: []string{AllTypes}, Enabled: true, Secret: secret, CreatedAt: now}
	if c.URL == nil {
		c.URL = new(string)
	}
	return e, e.Update(c, plain, now)
}

// Update changes e, or returns the faults of c. An endpoint that is enabled starts without the
// failures of the past. plain reports whether messages may be sent to a host without TLS; nil: to
// none.
func (e *Endpoint) Update(c Changes, plain func(host string) bool, now time.Time) error {
	if c.Check != nil {
		if err := c.Check(*e); err != nil {
			return err
		}
	}
	var errs []error
	if c.URL != nil {
		u, err := checkURL(*c.URL, plain)
		e.URL = u
		errs = append(errs, err)
	}
	if c.Types != nil {
		e.Types = slices.Compact(slices.Sorted(slices.Values(*c.Types)))
		errs = append(errs, checkTypes(e.Types))
	}
	if c.Description != nil {
		d, err := text.OptionalName("description", *c.Description)
		e.Description = d
		errs = append(errs, err)
	}
	if c.Enabled != nil {
		if *c.Enabled && !e.Enabled {
			e.Health = Health{}
		}
		e.Enabled, e.Disabled = *c.Enabled, ""
	}
	e.UpdatedAt = now
	return fault.Join(errs...)
}

// checkURL returns s without surrounding white space if messages can be sent to it.
func checkURL(s string, plain func(host string) bool) (string, error) {
	const field = "url"
	s, err := text.URL(field, s)
	if err != nil {
		return "", err
	}
	scheme, rest, _ := strings.Cut(s, "://")
	host, _, _ := strings.Cut(strings.NewReplacer("?", "/", "#", "/", ":", "/").Replace(rest), "/")
	if !strings.EqualFold(scheme, "https") && (plain == nil || !plain(host)) {
		return "", fault.Invalidf(field, "must start with https://")
	}
	return s, nil
}

func checkTypes(types []string) error {
	const field = "types"
	if len(types) == 0 {
		return fault.Blank(field)
	}
	for _, typ := range types {
		if typ != AllTypes && !slices.Contains(change.Types(), typ) {
			return fault.Invalidf(field, "must contain only %s and types of records: %s", AllTypes, strings.Join(change.Types(), ", "))
		}
	}
	return nil
}

// ReplayOf returns the name of the follower of the change feed that replays changes to an endpoint.
func ReplayOf(id ID) string { return Feed + "/" + id.String() }

// BacklogOf returns the name of the follower of the change feed that queues the deliveries to an
// endpoint for which the endpoint had no room when Feed processed their changes.
func BacklogOf(id ID) string { return Backlog + "/" + id.String() }

// Wants reports whether changes of records of a type are sent to the endpoint.
func (e Endpoint) Wants(typ string) bool {
	return e.Enabled && (slices.Contains(e.Types, AllTypes) || slices.Contains(e.Types, typ))
}

// disable disables the endpoint for the given reason.
func (e *Endpoint) disable(now time.Time, format string, args ...any) {
	e.Enabled, e.Disabled, e.UpdatedAt = false, fmt.Sprintf(format, args...), now
}
