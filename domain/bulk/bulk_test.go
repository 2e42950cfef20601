package bulk_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/school"
)

var then = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

var key = policy.Actor{Key: school.KeyID{UUID: uuid.New()}, Scope: school.Write}

func newJob(t *testing.T, kind bulk.Kind, rows int) bulk.Job {
	t.Helper()
	j, err := bulk.New(bulk.ID{UUID: uuid.New()}, kind, key, rows, then)
	is.New(t).NoErr(err)
	return j
}

func TestSize(t *testing.T) {
	for _, kind := range []bulk.Kind{bulk.People, bulk.Groups} {
		is := is.New(t)
		_, err := bulk.New(bulk.ID{}, kind, key, bulk.MaxRows, then)
		is.NoErr(err)
		is.NoErr(kind.CheckTargets(3, bulk.MaxAllTargets))
		err = kind.CheckTargets(3, bulk.MaxAllTargets+1)
		is.Equal(fault.All(err)[0].Field, kind.String()+"[3]")
		_, err = bulk.New(bulk.ID{}, kind, key, bulk.MaxRows+1, then)
		is.Equal(err.Error(), "invalid: "+kind.String()+": has too many elements (maximum is 15000)")
	}
}

func TestParseKind(t *testing.T) {
	is := is.New(t)
	for _, kind := range []bulk.Kind{bulk.People, bulk.Groups} {
		parsed, ok := bulk.ParseKind(kind.String())
		is.True(ok)
		is.Equal(parsed, kind)
	}
	_, ok := bulk.ParseKind("courses")
	is.True(!ok)
}

func TestStatus(t *testing.T) {
	late, later := then.Add(time.Minute), then.Add(time.Hour)
	wrong := []bulk.RowError{{Row: 1, Field: "email", Kind: fault.Invalid, Detail: "can't be blank"}}
	tests := []struct {
		name         string
		rows         int
		outcomes     []bulk.Outcome
		want         bulk.Status
		done, failed int
		completed    *time.Time
	}{
		{"no rows", 0, nil, bulk.Completed, 0, 0, &then},
		{"nothing done", 3, nil, bulk.Queued, 0, 0, nil},
		{"a part done", 3, []bulk.Outcome{{Rows: 2, Failed: 1, Errors: wrong, At: late}}, bulk.Running, 2, 1, nil},
		{"all done", 3, []bulk.Outcome{{Rows: 2, Failed: 1, Errors: wrong, At: later}, {Rows: 1, At: late}}, bulk.Completed, 3, 1, &later},
		{"all failed", 1, []bulk.Outcome{{Rows: 1, Failed: 1, Errors: wrong, At: late}}, bulk.Completed, 1, 1, &late},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			j := newJob(t, bulk.People, tt.rows).With(tt.outcomes...)
			is.Equal(j.Status(), tt.want)
			is.Equal([]int{j.RowsDone, j.RowsFailed}, []int{tt.done, tt.failed})
			is.Equal(len(j.Errors), tt.failed)
			is.Equal(j.CompletedAt == nil, tt.completed == nil)
			if tt.completed != nil {
				is.True(j.CompletedAt.Equal(*tt.completed))
			}
		})
	}
}
