// Package middleware checks every request before its handler: size, transport, API key, scope and
// admission. It depends on the request state of package respond and on Config, not on the handlers.
// Rules that differ between routes are attributes of the route. Start at Middleware.Engine, which
// defines the order of the checks.
package middleware
