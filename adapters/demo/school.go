package demo

import (
	"bytes"
	_ "embed"
	"io"
)

// Key is the API key of the demo school. Everybody knows it, so the demo school
// is only ever loaded into memory, on a loopback address.
const Key = "lyc_DemoKeyOfTheDemoSchoolNotSafe13SpPIx" // #nosec G101 -- public on purpose

// Invitation is the token of the invitation link of the one person of the demo
// school who has not accepted yet.
const Invitation = "d3300000000000000000000000000000000d3300" // #nosec G101 -- public on purpose

//go:embed demo.jsonl
var school []byte

// School opens the file of the demo school at its beginning.
func School() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(school)), nil }
