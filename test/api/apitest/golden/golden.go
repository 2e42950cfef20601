package golden

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update is set if tests must write the golden files.
var Update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Compare compares a document with testdata/<name>.json, or writes the file if the flag -update is
// set. The document must be compact; the file is indented.
func Compare(t *testing.T, name, body string) {
	t.Helper()
	var indented, compact bytes.Buffer
	if err := json.Indent(&indented, []byte(body), "", "  "); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&compact, []byte(body)); err != nil || compact.String() != body {
		t.Errorf("the document contains white space: %s", body)
	}
	indented.WriteByte('\n')
	file := filepath.Join("testdata", name+".json")
	if *Update {
		if err := os.WriteFile(file, indented.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), indented.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// CompareLines compares lines with testdata/<name>.jsonl, or writes the file if the flag -update is
// set.
func CompareLines(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".jsonl")
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
