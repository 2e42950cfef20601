// Package web serves the academy: the pages on which people sign in to their school and learn. The
// pages are HTML from templates and also work without their script. They use the same use cases as
// the API. Start at New; routes.go lists the pages.
package web
