package jsonapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
)

// membersOf returns an object with n members.
func membersOf(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"m%d":%d`, i, i)
	}
	return "{" + strings.Join(members, ",") + "}"
}

func TestParseTakes1000Members(t *testing.T) {
	_, err := jsonapi.Parse([]byte(membersOf(jsonapi.MaxMembers)), plenty)
	is.New(t).NoErr(err)
}

// Elements, members and their containers count as values; names do not.
func TestParseCountsValues(t *testing.T) {
	for body, values := range map[string]int{
		`null`: 1, `"a"`: 1, `[]`: 1, `{}`: 1, `[1,"a",null]`: 4, `{"a":1,"b":[true,{}]}`: 5, `[[],[[]]]`: 4,
	} {
		t.Run(body, func(t *testing.T) {
			is := is.New(t)
			_, err := jsonapi.Parse([]byte(body), values)
			is.NoErr(err)
			_, err = jsonapi.Parse([]byte(body), values-1)
			is.Equal(fmt.Sprint(err), fmt.Sprintf("The body contains more than %d values", values-1))
		})
	}
}

// The parser reads nothing after the limit, so the rest may be invalid.
func TestParseStopsAtTheLimit(t *testing.T) {
	_, err := jsonapi.Parse([]byte(`[1,2,3,rubbish`), 3)
	is.New(t).Equal(fmt.Sprint(err), "The body contains more than 3 values")
}

// Parsing very many empty objects, or an object with too many members, takes few allocations.
func TestParseAllocates(t *testing.T) {
	const most = 1 << 17
	for name, tt := range map[string]struct {
		body   string
		allocs float64
	}{
		"empty objects":  {"[" + strings.Repeat("{},", most-2) + "{}]", 100},
		"95,000 members": {membersOf(95_000), 20 * jsonapi.MaxMembers},
	} {
		t.Run(name, func(t *testing.T) {
			body := []byte(tt.body)
			allocs := testing.AllocsPerRun(1, func() { _, _ = jsonapi.Parse(body, most) })
			t.Logf("%.0f allocations for %d bytes", allocs, len(body))
			is.New(t).True(allocs < tt.allocs)
		})
	}
}
