package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
)

func TestJoin(t *testing.T) {
	name, email, missing := fault.Blank("name"), fault.Blank("email"), fault.RecordNotFound()
	outage := errors.New("outage")
	busy := fmt.Errorf("store: %w", fault.Unavailablef("not now"))
	for _, tc := range []struct {
		name string
		errs []error
		want error
	}{
		{"nothing", nil, nil},
		{"only nils", []error{nil, nil}, nil},
		{"one", []error{nil, name}, name},
		{"several, in their order", []error{email, nil, name}, fault.List{email, name}},
		{"lists are taken apart", []error{fault.List{email, name}, missing}, fault.List{email, name, missing}},
		{"wrapped", []error{fmt.Errorf("row: %w", name), email}, fault.List{name, email}},
		{"a defect comes back alone", []error{name, outage, email}, outage},
		{"an outage comes back alone", []error{name, busy, email}, busy},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(fault.Join(tc.errs...), tc.want)
		})
	}
}

func TestAll(t *testing.T) {
	is := is.New(t)
	name, email := fault.Blank("name"), fault.Blank("email")
	is.Equal(fault.All(fmt.Errorf("a: %w", fault.Join(name, email))), []*fault.Fault{name, email})
	is.Equal(fault.All(fmt.Errorf("a: %w", fmt.Errorf("b: %w", name))), []*fault.Fault{name})
	is.Equal(len(fault.All(errors.New("outage"))), 0)
	is.Equal(len(fault.All(nil)), 0)
}

func TestIsRefusal(t *testing.T) {
	busy := fmt.Errorf("store: %w", fault.Unavailablef("not now"))
	for _, tc := range []struct {
		name string
		err  error
		want bool
	}{
		{"no error", nil, false},
		{"a defect", errors.New("defect"), false},
		{"a fault", fault.RecordNotFound(), true},
		{"several faults", fmt.Errorf("a: %w", fault.Join(fault.RecordNotFound(), fault.Blank("name"))), true},
		{"an outage", busy, false},
		{"an outage among faults", fault.List{fault.RecordNotFound(), fault.Unavailablef("not now")}, false},
		{"an outage at a row", fault.AtRow(busy, 2), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(fault.IsRefusal(tc.err), tc.want)
		})
	}
}

func TestListIsAnError(t *testing.T) {
	is := is.New(t)
	name, email := fault.Blank("name"), fault.Blank("email")
	err := fmt.Errorf("saving: %w", fault.Join(name, email))
	is.Equal(err.Error(), "saving: invalid: name: can't be blank; invalid: email: can't be blank")
	is.True(errors.Is(err, email)) // each fault can be found in the list
	var first *fault.Fault
	is.True(errors.As(err, &first))
	is.Equal(first, name)
}

func TestInPath(t *testing.T) {
	outage := errors.New("outage")
	both := fault.Join(fault.Blank("name"), fault.RecordNotFound())
	for _, tc := range []struct {
		name string
		got  error
		want string
	}{
		{"at a row", fault.AtRow(fault.Blank("name"), 2), "invalid: row 3: name: can't be blank"},
		{
			"several at a row", fault.AtRow(both, 0),
			"invalid: row 1: name: can't be blank; not found: row 1: The resource you requested does not exist",
		},
		{"an outage at a row", fault.AtRow(outage, 2), "outage"},
		{"with a path", fault.InPath("people[3]", fault.Blank("name")), "invalid: people[3].name: can't be blank"},
		{
			"several with a path", fault.InPath("people[3]", both),
			"invalid: people[3].name: can't be blank; not found: people[3]: The resource you requested does not exist",
		},
		{"a row with a path", fault.InPath("people", fault.AtRow(both, 3)), "invalid: people[3].name: can't be blank; not found: people[3]: The resource you requested does not exist"},
		{"an outage with a path", fault.InPath("people[3]", outage), "outage"},
		{"on a field", fault.OnField("email", fault.Join(fault.Blank("name"), fault.Blank(""))), "invalid: email: can't be blank; invalid: email: can't be blank"},
		{"on a field where there is none", fault.AtBlank("email", fault.Join(fault.Blank("name"), fault.Blank(""))), "invalid: name: can't be blank; invalid: email: can't be blank"},
		{"an outage on a field", fault.OnField("email", outage), "outage"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(tc.got.Error(), tc.want)
		})
	}
	t.Run("nothing", func(t *testing.T) {
		is := is.New(t)
		is.NoErr(fault.AtRow(nil, 2))
		is.NoErr(fault.InPath("people", nil))
		is.NoErr(fault.OnField("email", nil))
	})
	t.Run("the fault itself is unchanged", func(t *testing.T) {
		is := is.New(t)
		is.Equal(both.Error(), "invalid: name: can't be blank; not found: The resource you requested does not exist")
	})
}
