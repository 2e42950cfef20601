package openapi_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/openapi"
)

// Tables in the description have no empty cells. The reference page omits empty cells, which shifts
// the other cells of the row.
func TestTablesHaveNoEmptyCells(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("description.md")
	is.NoErr(err)
	rows := 0
	for line := range strings.Lines(string(text)) {
		inside, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
		if !ok {
			continue
		}
		rows++
		for cell := range strings.SplitSeq(strings.TrimSuffix(inside, "|"), "|") {
			if strings.TrimSpace(cell) == "" {
				t.Errorf("empty cell: %s", line)
			}
		}
	}
	is.True(rows > 50)
}

// The diagram in the description is at most 55 characters wide. The reference page, whose middle
// column is 492 pixels wide on a screen of 1440, cuts off a wider diagram.
func TestPictureIsNarrow(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("description.md")
	is.NoErr(err)
	_, rest, ok := strings.Cut(string(text), "\n```text\n")
	is.True(ok)
	picture, _, _ := strings.Cut(rest, "```")
	is.True(strings.Contains(picture, "person"))
	for line := range strings.Lines(picture) {
		is.True(utf8.RuneCountInString(line) <= 55)
	}
}

// Each summary names the version of its operation, because a list of operations shows only
// summaries.
func TestSummariesNameVersion(t *testing.T) {
	is := is.New(t)
	text, err := openapi.Document("")
	is.NoErr(err)
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	is.NoErr(json.Unmarshal(text, &document))
	operations := 0
	for path, item := range document.Paths {
		for method, raw := range item {
			var operation struct{ Summary string }
			if json.Unmarshal(raw, &operation) != nil || operation.Summary == "" {
				continue // the parameters of the path
			}
			operations++
			for _, version := range []string{"v1", "v2"} {
				marked := strings.Contains(operation.Summary, "("+version+")")
				if marked != strings.HasPrefix(path, "/"+version+"/") {
					t.Errorf("%s %s has the summary %q", method, path, operation.Summary)
				}
			}
		}
	}
	is.True(operations > 100)
}
