package faults

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
)

var (
	ada        = Row{person, "ada@example.test", "Ada"}
	membership = Row{member, "ada@example.test", evening}
	enrollment = Row{enrolled, "ada@example.test", reading}
	view       = Row{event, "ada@example.test", "2026-01-02T15:04:05.000Z Text"}
	use        = Row{redemptions, "ada@example.test", plenty}
	adasID     = Row{idKind, "ada@example.test", "1"}
	stray      = Row{category, "", "Unasked"}
)

// written returns the history of one client.
func written() History {
	return History{
		{Client: 1, N: 1, Kind: "create a person", Outcome: Acknowledged, Adds: []Row{ada, adasID}},
		{Client: 1, N: 2, Kind: "join a group", Outcome: Acknowledged, Adds: []Row{membership, enrollment}},
		{Client: 1, N: 3, Kind: "report events", Outcome: Acknowledged, Adds: []Row{view}},
		{Client: 1, N: 4, Kind: "redeem a coupon", Outcome: Acknowledged, Adds: []Row{use}},
	}
}

func shown() Found {
	return Found{
		Rows:   map[Row]int{ada: 1, adasID: 1, membership: 1, enrollment: 1, view: 1, use: 1, {idKind, "", "of a demo"}: 1},
		Counts: []Counts{{"Reading: enrollments_count", "1", "1"}},
		Used:   map[string]int{plenty: 1},
	}
}

// TestCheck modifies a history or a school so that it contains a violation. Exactly the class of
// that violation must be reported.
func TestCheck(t *testing.T) {
	for name, tt := range map[string]struct {
		doctor func(h History, f *Found) History
		want   []string
	}{
		"no violations": {func(h History, _ *Found) History { return h }, nil},
		"an event is lost": {func(h History, f *Found) History {
			delete(f.Rows, view)
			return h
		}, []string{Lost}},
		"an acknowledged ID has another record": {func(h History, f *Found) History {
			delete(f.Rows, adasID)
			f.Rows[Row{idKind, "ada@example.test", "2"}] = 1
			return h
		}, []string{Partial}},
		"an event is doubled": {func(h History, f *Found) History {
			f.Rows[view] = 2
			return h
		}, []string{Doubled}},
		"a member is not enrolled in the group's course": {func(h History, f *Found) History {
			delete(f.Rows, enrollment)
			return h
		}, []string{Partial}},
		"a redemption is doubled": {func(h History, f *Found) History {
			f.Rows[use], f.Used[plenty] = 2, 2
			return h
		}, []string{Counter, Doubled}},
		"an unknown record exists": {func(h History, f *Found) History {
			f.Rows[stray] = 1
			return h
		}, []string{Extra}},
		"a rejected write was saved": {func(h History, f *Found) History {
			f.Rows[stray] = 1
			return append(h, Entry{Client: 2, N: 1, Outcome: Refused, Adds: []Row{stray}})
		}, []string{Extra}},
		"an uncertain write was saved": {func(h History, f *Found) History {
			f.Rows[stray] = 1
			return append(h, Entry{Client: 2, N: 1, Outcome: Unknown, Adds: []Row{stray}})
		}, nil},
		"an uncertain write is doubled": {func(h History, f *Found) History {
			f.Rows[stray] = 2
			return append(h, Entry{Client: 2, N: 1, Outcome: Unknown, Adds: []Row{stray}})
		}, []string{Extra}},
		"a removal is lost": {func(h History, _ *Found) History {
			return append(h, Entry{Client: 1, N: 5, Outcome: Acknowledged, Drops: []Row{enrollment}})
		}, []string{Lost}},
		"a deletion is incomplete": {func(h History, f *Found) History {
			f.Rows = map[Row]int{membership: 1}
			return append(h, Entry{Client: 1, N: 5, Outcome: Acknowledged, Erases: ada.Of})
		}, []string{Lost}},
		"redemptions of a deleted person are still counted": {func(h History, f *Found) History {
			f.Rows = nil
			return append(h, Entry{Client: 1, N: 5, Outcome: Acknowledged, Erases: ada.Of})
		}, nil},
		"a count is wrong": {func(h History, f *Found) History {
			f.Counts[0].Shown = "2"
			return h
		}, []string{Counter}},
		"a redemption is not counted": {func(h History, f *Found) History {
			f.Used[plenty] = 0
			return h
		}, []string{Counter}},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			found := shown()
			is.Equal(classes(Check(tt.doctor(written(), &found), found)), tt.want)
		})
	}
}

func classes(bad []Violation) []string {
	set := map[string]bool{}
	for _, v := range bad {
		set[v.Class] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func TestCheckFeed(t *testing.T) {
	one, two, gone := Row{event, "1", "a"}, Row{event, "1", "b"}, Row{event, "2", "c"}
	for name, tt := range map[string]struct {
		seen []Row
		want []string
	}{
		"all events, and one that was deleted since": {[]Row{one, gone, two}, nil},
		"a missed event":                   {[]Row{two}, []string{Missed}},
		"a repeated event":                 {[]Row{one, two, two}, []string{Twice}},
		"an event that is out of sequence": {[]Row{two, one}, []string{Unordered}},
	} {
		t.Run(name, func(t *testing.T) {
			is.New(t).Equal(classes(CheckFeed(tt.seen, []Row{one, two})), tt.want)
		})
	}
}

func TestCheckReconciled(t *testing.T) {
	is := is.New(t)
	is.Equal(len(CheckReconciled("")), 0)
	is.Equal(classes(CheckReconciled("courses 1: enrollments_count was 2, now 1\n")), []string{Counter})
}

func TestExchangeViolations(t *testing.T) {
	for name, tt := range map[string]struct {
		trip exchange
		want []string
	}{
		"an expected status":  {exchange{status: 201}, nil},
		"no answer":           {exchange{}, nil},
		"503":                 {exchange{status: 503, retryAfter: "1"}, nil},
		"503, never to retry": {exchange{status: 503}, []string{NoRetry}},
		"500":                 {exchange{status: 500}, []string{Defect}},
		"502":                 {exchange{status: 502}, []string{Defect}},
		"a fault":             {exchange{status: 422}, []string{Defect}},
		"another success":     {exchange{status: 200}, []string{Defect}},
		"too late":            {exchange{status: 201, took: longest + time.Second}, []string{Slow}},
	} {
		t.Run(name, func(t *testing.T) {
			tt.trip.limit = longest
			is.New(t).Equal(classes(tt.trip.violations([]int{201})), tt.want)
		})
	}
}

func TestCheckJobs(t *testing.T) {
	now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	const list = "ID SCHOOL STATE ATTEMPTS NEXT CREATED LAST ERROR\n"
	for name, tt := range map[string]struct {
		line, queue string
		limit       time.Duration
		want        int
	}{
		"none":              {"", "bulk", lease, 0},
		"of another school": {"1 there waiting 0 2026-01-02T15:00:00Z - -", "bulk", lease, 0},
		"waiting":           {"1 here waiting 0 2026-01-02T15:00:00Z - -", "bulk", time.Second, 1},
		"leased":            {"1 here leased 1 2026-01-02T15:06:00Z - -", "bulk", lease, 1},
		"a leased job, without waiting for leases":  {"1 here leased 1 2026-01-02T15:06:00Z - -", "bulk", time.Second, 0},
		"a rescheduled job, without waiting for it": {"1 here waiting 1 2026-01-02T15:06:00Z - -", "invitations", time.Second, 0},
		"dead":                          {"1 here dead 9 - - -", "invitations", time.Second, 1},
		"a file that is kept for a day": {"1 here waiting 0 2026-01-03T15:00:00Z - -", "files", lease, 0},
		"a file that should be deleted": {"1 here waiting 0 2026-01-02T15:00:00Z - -", "files", lease, 1},
	} {
		t.Run(name, func(t *testing.T) {
			jobs := parseJobs(tt.queue, list+tt.line, "here", now)
			is.New(t).Equal(len(checkJobs(jobs, tt.limit, true)), tt.want)
		})
	}
}

func TestCheckBulk(t *testing.T) {
	for name, tt := range map[string]struct {
		status             string
		total, done, wrong int
		want               int
	}{
		"completed":             {"completed", 3, 3, 0, 0},
		"running":               {"running", 3, 3, 0, 1},
		"a row failed":          {"completed", 3, 3, 1, 1},
		"a row was not counted": {"completed", 3, 2, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := resource{Attributes: map[string]any{
				"status": tt.status, "rows_total": tt.total, "rows_done": tt.done, "rows_failed": tt.wrong,
			}}
			is.New(t).Equal(len(checkBulk("1", r)), tt.want)
		})
	}
}
