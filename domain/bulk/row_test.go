package bulk_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/property"
)

func named(names ...string) []bulk.Target {
	targets := make([]bulk.Target, len(names))
	for i, n := range names {
		targets[i] = bulk.Target{Field: "x/" + string(rune('0'+i%10)), Name: n}
	}
	return targets
}

func manyProperties(n int) map[string]property.Raw {
	sent := map[string]property.Raw{}
	for i := range n {
		sent["p"+strconv.Itoa(i)] = property.RawNumber("1")
	}
	return sent
}

func TestNewRow(t *testing.T) {
	const id = "018F6F5E-7c1a-7b3e-9d55-0f5b6a2c1d10"
	noText, noObject := fault.Invalidf("email", "must be a string"), fault.Invalidf("", "must be an object")
	tests := []struct {
		name    string
		kind    bulk.Kind
		subject string
		targets []bulk.Target
		unread  error
		want    []string // field and detail of each error

		properties map[string]property.Raw
	}{
		{"a person", bulk.People, " ada@example.test ", named("Painters", " Singers "), nil, nil, nil},
		{"no email", bulk.People, "", nil, nil, []string{"email can't be blank"}, nil},
		{"no address", bulk.People, "ada", nil, nil, []string{"email is not a valid email address"}, nil},
		{"no name of a group", bulk.People, "ada@example.test", named("Painters", "a\x00"), nil, []string{"x/1 contains a control character"}, nil},
		{"all wrong", bulk.People, "ada", named("\xff"), nil, []string{"email is not a valid email address", "x/0 is not valid UTF-8"}, nil},
		{"unread", bulk.People, "", named("Painters"), noText, []string{"email must be a string"}, nil},
		{"unread, and the rest wrong", bulk.People, "", named(" "), noText, []string{"email must be a string", "x/0 can't be blank"}, nil},
		{"no object", bulk.People, "", nil, noObject, []string{" must be an object"}, nil},
		{"a group", bulk.Groups, "Painters", named(id, "drawing-1"), nil, nil, nil},
		{"no name", bulk.Groups, " ", nil, nil, []string{"name can't be blank"}, nil},
		{"no course", bulk.Groups, "Painters", named("Drawing", id[1:]), nil, []string{"x/0 is not the id or permalink of a course", "x/1 is not the id or permalink of a course"}, nil},
		{"enough groups", bulk.People, "ada@example.test", named(slices.Repeat([]string{"A"}, 500)...), nil, nil, nil},
		{"too many groups", bulk.People, "ada@example.test", named(slices.Repeat([]string{"A"}, 501)...), nil, []string{"groups has too many elements (maximum is 500)"}, nil},
		{"too many courses", bulk.Groups, "A", named(slices.Repeat([]string{"a"}, 501)...), nil, []string{"courses has too many elements (maximum is 500)"}, nil},
		{name: "a person with properties", kind: bulk.People, subject: "ada@example.test", properties: map[string]property.Raw{"level": {}, "note": property.RawText("a")}},
		{
			name: "wrong properties", kind: bulk.People, subject: "ada@example.test",
			properties: map[string]property.Raw{"level": property.RawText("\xff"), "Level": {}, "": {}, "a/b": {}},
			want:       []string{"properties. unknown property", "properties.Level unknown property", "properties.a/b unknown property", "properties.level is not valid UTF-8"},
		},
		{
			name: "too many properties", kind: bulk.Groups, subject: "A", properties: manyProperties(property.MaxDefinitions + 1),
			want: []string{"properties has too many elements (maximum is 50)"},
		},
		{name: "enough properties", kind: bulk.Groups, subject: "A", properties: manyProperties(property.MaxDefinitions)},
		{
			"more than the maximum number of errors", bulk.Groups, "A", named("?", "?", "?", "?", "?", "?"), nil,
			slices.Collect(strings.SplitSeq("x/0,x/1,x/2,x/3,x/4", ",")), nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := tt.kind.NewRow(3, tt.subject, tt.targets, tt.properties, tt.unread)
			is.Equal(r.Number, 3)
			is.Equal(len(r.Errors), len(tt.want))
			for i, e := range r.Errors {
				is.True(strings.HasPrefix(e.Field+" "+e.Detail, tt.want[i])) // the error has the expected field and detail
				is.Equal(e.Row, 3)
				is.Equal(e.Kind, fault.Invalid)
			}
			if tt.want != nil {
				is.Equal(r.Subject+strings.Repeat("x", len(r.Targets)), "") // a row with errors has no values
				return
			}
			is.Equal(r.Subject, strings.TrimSpace(tt.subject))
			is.Equal(len(r.Targets), len(tt.targets))
			for i, target := range r.Targets {
				is.Equal(target.Name, strings.TrimSpace(tt.targets[i].Name))
			}
		})
	}
}
