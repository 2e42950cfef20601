package demo

import (
	"bytes"
	_ "embed"
	"io"
)

// Key is the API key of the demo school. It is public, so the demo school is loaded only into
// memory and served only on a loopback address.
const Key = "lyc_DemoKeyOfTheDemoSchoolNotSafe13SpPIx" // #nosec G101 -- public on purpose

// Invitation is the token of the only open invitation of the demo school.
const Invitation = "d3300000000000000000000000000000000d3300" // #nosec G101 -- public on purpose

//go:embed demo.jsonl
var school []byte

// School opens the file of the demo school.
func School() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(school)), nil }
