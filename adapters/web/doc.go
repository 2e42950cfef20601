// Package web serves the academy: the pages on which people sign in to their school and learn. It is
// plain HTML from templates, without scripts, and uses the same use cases as the API. Start at New;
// routes.go lists the pages.
package web
