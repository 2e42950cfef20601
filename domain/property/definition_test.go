package property_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/test/conformance/schematest"
)

func TestNew(t *testing.T) {
	is := is.New(t)
	d, err := property.New(id, property.Params{
		Resource: property.People, Name: "cost_center2", Kind: property.OneOf, Options: []string{" b ", "a"}, Filterable: true,
	}, now)
	is.NoErr(err)
	want := property.State{
		ID: id, Resource: property.People, Name: "cost_center2", Kind: property.OneOf, Options: []string{"b", "a"}, Filterable: true,
		CreatedAt: now, UpdatedAt: now,
	}
	is.Equal(d.State(), want)
	is.Equal(property.Restore(want).State(), want)
}

func TestNewReturnsAllFaults(t *testing.T) {
	for name, tc := range map[string]struct {
		params property.Params
		want   []string // the fields of the faults
	}{
		"nothing":            {property.Params{}, []string{"resource", "name", "kind"}},
		"a capital":          {property.Params{Resource: property.School, Name: "Name", Kind: property.Text}, []string{"name"}},
		"a digit first":      {property.Params{Resource: property.School, Name: "1a", Kind: property.Text}, []string{"name"}},
		"a long name":        {property.Params{Resource: property.School, Name: strings.Repeat("a", 64), Kind: property.Text}, []string{"name"}},
		"options of a text":  {property.Params{Resource: property.School, Name: "a", Kind: property.Text, Options: []string{"a"}}, []string{"values"}},
		"no options":         {property.Params{Resource: property.School, Name: "a", Kind: property.OneOf}, []string{"values"}},
		"too many options":   {property.Params{Resource: property.School, Name: "a", Kind: property.OneOf, Options: make([]string, 101)}, []string{"values"}},
		"options not unique": {property.Params{Resource: property.School, Name: "a", Kind: property.OneOf, Options: []string{"a", "b", "a "}}, []string{"values[2]"}},
		"a long option":      {property.Params{Resource: property.School, Name: "a", Kind: property.OneOf, Options: []string{strings.Repeat("x", 101)}}, []string{"values[0]"}},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := property.New(id, tc.params, now)
			var fields []string
			for _, f := range fault.All(err) {
				fields = append(fields, f.Field)
			}
			is.Equal(fields, tc.want)
		})
	}
}

func TestDefinitionUpdate(t *testing.T) {
	level := property.State{
		ID: id, Resource: property.People, Name: "level", Kind: property.OneOf, Options: []string{"a", "b"}, CreatedAt: now, UpdatedAt: now,
	}
	text, groups, other, more, yes := property.Text, property.Groups, "grade", []string{"b", "c"}, true
	for name, tc := range map[string]struct {
		changes property.DefinitionChanges
		want    func(*property.State) // nil: nothing changes
		fields  []string
		lost    []string
		all     bool
	}{
		"nothing":          {changes: property.DefinitionChanges{Name: &level.Name, Kind: &level.Kind, Options: &level.Options}},
		"filterable":       {changes: property.DefinitionChanges{Filterable: &yes}, want: func(s *property.State) { s.Filterable = true }},
		"options":          {changes: property.DefinitionChanges{Options: &more}, want: func(s *property.State) { s.Options = more }, lost: []string{"a"}},
		"another kind":     {changes: property.DefinitionChanges{Kind: &text}, want: func(s *property.State) { s.Kind, s.Options = text, nil }, all: true},
		"another name":     {changes: property.DefinitionChanges{Name: &other}, fields: []string{"name"}},
		"another resource": {changes: property.DefinitionChanges{Resource: &groups}, fields: []string{"resource"}},
		"no kind":          {changes: property.DefinitionChanges{Kind: new(property.Kind)}, fields: []string{"kind"}},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			d, want := property.Restore(level), level
			changed, err := d.Update(tc.changes, laterTime)
			var fields []string
			for _, f := range fault.All(err) {
				fields = append(fields, f.Field)
			}
			is.Equal(fields, tc.fields)
			is.Equal(changed, tc.want != nil)
			if tc.want != nil {
				tc.want(&want)
				want.UpdatedAt = laterTime
			}
			is.Equal(d.State(), want)
			all, lost := property.Lost(level, d.State())
			is.Equal(all, tc.all)
			is.Equal(lost, tc.lost)
		})
	}
	is := is.New(t)
	is.NoErr(property.CheckLoss(true, 0))
	is.Equal(fault.All(property.CheckLoss(true, 2))[0].Field, "kind")
	is.Equal(fault.All(property.CheckLoss(false, 2))[0].Field, "values")
}

func TestCheckDeletion(t *testing.T) {
	is := is.New(t)
	d := property.State{Resource: property.Courses}
	is.NoErr(d.CheckDeletion(0))
	refused := d.CheckDeletion(3)
	is.True(fault.Is(refused, fault.Conflict))
	is.Equal(fault.All(refused)[0].Counts, map[string]int64{"courses": 3})
	is.NoErr(property.CheckNumber(50))
	is.True(fault.Is(property.CheckNumber(51), fault.Invalid))
}

func TestSchema(t *testing.T) {
	is := is.New(t)
	schematest.Attributes(t, property.Schema, property.State{
		ID: id, Resource: property.People, Name: "level", Kind: property.OneOf, Filterable: true, CreatedAt: now, UpdatedAt: laterTime,
	}, map[string]string{
		"uuid":       "00000000-0000-0000-0000-000000000001",
		"resource":   "people",
		"name":       "level",
		"kind":       "one_of",
		"filterable": "true",
		"created_at": "2026-01-31T15:04:05.123Z",
		"updated_at": "2026-01-31T16:04:05.123Z",
	})
	is.Equal(schematest.Order(property.Schema), "-created_at")
}
