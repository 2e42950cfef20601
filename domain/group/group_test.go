package group_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/group"
)

var (
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	id        = group.ID{UUID: uuid.UUID{15: 1}}
	token     = strings.Repeat("0a", 20)
)

func TestNew(t *testing.T) {
	is := is.New(t)
	g, err := group.New(id, " Spring ", token, now)
	is.NoErr(err)
	want := group.State{ID: id, Name: "Spring", EnrollToken: token, CreatedAt: now, UpdatedAt: now}
	is.Equal(g.State(), want)
	is.Equal(group.Restore(want).State(), want)
}

func TestNewReturnsAllFaults(t *testing.T) {
	is := is.New(t)
	_, err := group.New(id, "", "secret", now)
	faults := fault.All(err)
	is.Equal(len(faults), 2)
	is.Equal(faults[0].Field, "name")
	is.Equal(faults[1].Field, "enroll_token")
}

func TestUpdate(t *testing.T) {
	for _, tc := range []struct {
		name, to, want string
		updated        time.Time
		ok             bool
	}{
		{"another name", "Autumn", "Autumn", laterTime, true},
		{"the same name", "Spring", "Spring", now, true},
		{"the same name once trimmed", " Spring", "Spring", now, true},
		{"no name", " ", "Spring", now, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			g := group.Restore(group.State{ID: id, Name: "Spring", EnrollToken: token, CreatedAt: now, UpdatedAt: now})
			_, err := g.Update(group.Changes{Name: &tc.to}, laterTime)
			is.Equal(err == nil, tc.ok)
			is.Equal(g.State(), group.State{
				ID: id, Name: tc.want, EnrollToken: token, CreatedAt: now, UpdatedAt: tc.updated,
			})
		})
	}
}
