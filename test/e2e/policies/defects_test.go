package policies_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lyceum/app"
	appbulk "lyceum/app/bulk"
	"lyceum/cmd/server"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/test/kit/stores"
	"lyceum/test/lyceumtest"
)

// defective contains a rule with a defect: for person 1 it returns an error that is not a fault,
// and for person 2 it panics.
func defective[T any](of func(T) person.State) policy.Rules[T] {
	return policy.Rules[T]{{Check: func(d T) error {
		switch number(of(d).Email) % newPersonOffset {
		case 1:
			return errors.New("a defect")
		case 2:
			panic("a panic")
		}
		return nil
	}}}
}

// TestDefects checks the effects of a rule with a defect. In a bulk request the row fails: the bulk
// job contains an error, and OnDefect gets the cause. An import fails with the line number and the
// cause.
func TestDefects(t *testing.T) {
	t.Parallel()
	creating := policy.Set{CreatePerson: defective(func(c policy.CreatingPerson) person.State { return c.Person })}
	joining := policy.Set{Join: defective(func(j policy.Joining) person.State { return j.Person })}
	enrolling := policy.Set{Enroll: defective(func(e policy.Enrolling) person.State { return e.Person })}
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		for _, tc := range []struct {
			name  string
			rules policy.Set
			take  func(w *world, a *app.App, numbers ...int) error
			line  string // start of the error of an import; blank: a bulk request
		}{
			{"new people in bulk", creating, func(w *world, a *app.App, numbers ...int) error {
				return w.bulkPeople(a, "", newcomers(numbers))
			}, ""},
			{"members in bulk", joining, func(w *world, a *app.App, numbers ...int) error {
				return w.bulkPeople(a, "New", numbers)
			}, ""},
			{"courses of groups in bulk", enrolling, func(w *world, a *app.App, numbers ...int) error {
				return w.bulkRows(a, bulk.Groups, []bulk.Row{
					{Number: 0, Subject: "New", Targets: []bulk.Target{{Field: "courses", Name: "algebra"}}},
					{Number: 1, Subject: "Old", Targets: []bulk.Target{{Field: "courses", Name: "geometry"}}},
				})
			}, ""},
			{"new people as CSV", creating, func(w *world, a *app.App, numbers ...int) error {
				return w.csv(a, false, "", newcomers(numbers))
			}, "line 3: "},
			{"members as CSV", joining, func(w *world, a *app.App, numbers ...int) error {
				return w.csv(a, false, "New", numbers)
			}, "line 3: "},
			{"lines", creating, func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, newcomers(numbers), personLine)
			}, "line 3: person: "},
		} {
			t.Run(tc.name, func(t *testing.T) {
				w := newWorld(t, on, 4, tc.rules)
				var reported []appbulk.Defect
				w.apps[0].Bulk.OnDefect(func(_ context.Context, d appbulk.Defect) { reported = append(reported, d) })
				err := tc.take(w, w.apps[0], 0, 1, 2, 3)
				if tc.line != "" {
					if err == nil || err.Error() != tc.line+"a defect" {
						t.Error(err)
					}
					return
				}
				var rows rowErrors
				if !errors.As(err, &rows) {
					t.Fatal(err)
				}
				for i, r := range rows {
					if r.Kind != fault.Defect || r.Detail != fault.DefectDetail {
						t.Errorf("%+v", r)
					}
					if d := reported[i]; d.Row != r.Row || d.Job.Kind != bulk.JobKind || d.Job.School != w.actor.School() {
						t.Errorf("%+v", d)
					}
				}
				failed := func(row int) bool {
					return slices.ContainsFunc(rows, func(r bulk.RowError) bool { return r.Row == row })
				}
				if failed(0) || !failed(1) || len(rows) != len(reported) {
					t.Errorf("%+v, reported %+v", rows, reported)
				}
				if len(rows) == 2 && !(failed(2) && strings.Contains(reported[1].Err.Error(), "a panic") &&
					strings.Contains(reported[1].Err.Error(), "defects_test.go")) {
					t.Errorf("%+v, reported %+v", rows, reported)
				}
			})
		}
	})
}

// lockedBuffer is a buffer that is safe for concurrent use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestDefectOfARow checks that, after a rule has panicked, the bulk job contains the status 500 for
// the row, and the log of the server contains the cause.
func TestDefectOfARow(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	rules := policy.Set{CreatePerson: defective(func(c policy.CreatingPerson) person.State { return c.Person })}
	s := lyceumtest.Start(t, lyceumtest.With(server.WithPolicy(rules)), lyceumtest.WithLog(slog.New(slog.NewJSONHandler(&log, nil))))
	_, job, err := s.Do(t.Context(), "POST", "/v1/bulk/people",
		`{"data": {"type": "bulk", "attributes": {"people": [{"email": "`+email(0)+`"}, {"email": "`+email(2)+`"}]}}}`)
	must(t, err)
	_, id, _ := strings.Cut(job, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	for end := time.Now().Add(limit); !strings.Contains(job, `"completed"`) && time.Now().Before(end); time.Sleep(time.Millisecond) {
		_, job, err = s.Do(t.Context(), "GET", "/v1/bulk/jobs/"+id, "")
		must(t, err)
	}
	for _, part := range []string{
		`"rows_failed":1`, `"status":"500"`, `"detail":"Something went wrong on our side"`, `"pointer":"/data/attributes/people/1"`,
	} {
		if !strings.Contains(job, part) {
			t.Errorf("%s is not in %s", part, job)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for _, part := range []string{`"level":"ERROR"`, `"msg":"bulk row failed"`, `"row":1`, "a panic", "defects_test.go"} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("%s is not in %s", part, log.String())
		}
	}
}
