package category_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/fault"
)

var (
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	id        = category.ID{UUID: uuid.UUID{15: 1}}
)

func TestNew(t *testing.T) {
	is := is.New(t)
	c, err := category.New(id, " Music ", now)
	is.NoErr(err)
	want := category.State{ID: id, Name: "Music", CreatedAt: now, UpdatedAt: now}
	is.Equal(c.State(), want)
	is.Equal(category.Restore(want).State(), want)
}

func TestNewInvalid(t *testing.T) {
	for _, name := range []string{"", " ", "a\x00", strings.Repeat("x", 256)} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := category.New(id, name, now)
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "name")
		})
	}
}

func TestRename(t *testing.T) {
	for _, tc := range []struct {
		name, to string
		want     category.State
		ok       bool
	}{
		{"another name", "Arts", category.State{ID: id, Name: "Arts", CreatedAt: now, UpdatedAt: laterTime}, true},
		{"the same name", "Music", category.State{ID: id, Name: "Music", CreatedAt: now, UpdatedAt: now}, true},
		{"the same name once trimmed", " Music ", category.State{ID: id, Name: "Music", CreatedAt: now, UpdatedAt: now}, true},
		{"the same name in other case", "MUSIC", category.State{ID: id, Name: "MUSIC", CreatedAt: now, UpdatedAt: laterTime}, true},
		{"no name", " ", category.State{ID: id, Name: "Music", CreatedAt: now, UpdatedAt: now}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := category.Restore(category.State{ID: id, Name: "Music", CreatedAt: now, UpdatedAt: now})
			is.Equal(c.Rename(tc.to, laterTime) == nil, tc.ok)
			is.Equal(c.State(), tc.want)
		})
	}
}
