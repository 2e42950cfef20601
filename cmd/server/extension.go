package server

import (
	"go.uber.org/fx"
	"lyceum/app"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Extension contains what another module adds to a server and to the operator's commands.
type Extension struct {
	policies policy.Set
	stores   []func(ports.Store) ports.Store
	sender   ports.InvitationSender

	reactions       []reaction
	reactInRequests bool
}

// Option adds a part to an Extension.
type Option func(*Extension)

// Extend returns the extension that consists of options.
func Extend(options ...Option) Extension {
	var e Extension
	for _, option := range options {
		option(&e)
	}
	return e
}

// WithPolicy adds rules for all schools. They are checked after the standard rules.
func WithPolicy(rules policy.Set) Option {
	return func(e *Extension) { e.policies = e.policies.With(rules) }
}

// WithStore wraps the store that the settings select. Several wrappers are applied in order, so the
// last one is the outermost.
func WithStore(around func(ports.Store) ports.Store) Option {
	return func(e *Extension) { e.stores = append(e.stores, around) }
}

// WithInvitationSender sends invitations through s instead of the configured mail server.
func WithInvitationSender(s ports.InvitationSender) Option {
	return func(e *Extension) { e.sender = s }
}

// Store returns s with the wrappers of the extension around it.
func (e Extension) Store(s ports.Store) ports.Store {
	for _, around := range e.stores {
		s = around(s)
	}
	return s
}

// ApplyPolicies adds the rules of the extension to a.
func (e Extension) ApplyPolicies(a *app.App) { a.SetPolicies(e.policies) }

// parts returns the fx options that apply the extension to a server.
func (e Extension) parts() fx.Option {
	parts := []fx.Option{fx.Decorate(e.Store), fx.Invoke(e.ApplyPolicies), fx.Decorate(e.withReactions)}
	if e.sender != nil {
		parts = append(parts, fx.Decorate(func(ports.InvitationSender) ports.InvitationSender { return e.sender }))
	}
	return fx.Options(parts...)
}
