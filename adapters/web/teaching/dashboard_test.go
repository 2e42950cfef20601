package teaching_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/kit/stores"
)

// weeks returns the number of weeks that the dashboard shows, and its chosen period.
func (p page) weeks() (int, string) {
	_, table, _ := strings.Cut(p.body, `<table data-plot="line">`)
	table, _, _ = strings.Cut(table, "</table>")
	before, _, _ := strings.Cut(p.body, `" aria-current="true"`)
	return strings.Count(table, `<th scope="row">`), before[strings.LastIndex(before, "=")+1:]
}

// The visitor chooses the period of the dashboard. Without a choice, the dashboard shows a period
// with records, and a new record does not hide the older ones.
func TestPeriodOfTheDashboard(t *testing.T) {
	const day = 24 * time.Hour
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		shown := func(b *browser, path string) (int, string) {
			t.Helper()
			p := b.get(path)
			is.Equal(p.status, http.StatusOK)
			return p.weeks()
		}
		check := func(b *browser, path string, weeks int, period string) {
			t.Helper()
			n, chosen := shown(b, path)
			is.Equal(chosen, period)
			is.Equal(n, weeks)
		}
		s.clock.Advance(120 * day)
		b := s.as(t, owner)
		check(b, "", 52, "52") // nothing happened in 12 weeks
		check(b, "?period=4", 4, "4")
		check(b, "?period=12", 12, "12")
		check(b, "?period=52", 52, "52")
		all, _ := shown(b, "?period=all")
		is.True(all > 20 && all < 60)
		is.Equal(b.post(ownCourse+"/learners", "email", manager).status, http.StatusOK)
		check(b, "", 52, "52")
		check(s.as(t, instructor), "", 52, "52")
		for _, bad := range []string{"5", "0", "-1", "all weeks"} {
			is.Equal(b.get("?period="+strings.ReplaceAll(bad, " ", "+")).status, http.StatusBadRequest)
		}

		s.clock.Advance(600 * day)
		b = s.as(t, owner)
		later, period := shown(b, "") // nothing happened in a year
		is.Equal(period, "all")
		is.True(later > 100)
		b.language = "de"
		is.True(b.get("").has(">Ein Jahr</a>"))
	})
}

// Without a choice, 12 weeks are shown if several of them have records, or if a longer period
// has none beyond these.
func TestTwelveWeeksOfTheDashboard(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		for _, email := range []string{"ada@example.test", "bob@example.test", "cleo@example.test", "dan@example.test"} {
			s.add(t, b, email)
			is.Equal(b.post(foreignCourse+"/learners", "email", email).status, http.StatusOK)
			s.clock.Advance(7 * 24 * time.Hour)
		}
		n, period := b.get("").weeks()
		is.Equal([]any{n, period}, []any{12, "12"})

		s.clock.Advance(12 * 365 * 24 * time.Hour) // longer than all weeks
		b = s.as(t, owner)
		n, period = b.get("").weeks()
		is.Equal([]any{n, period}, []any{12, "12"})
		n, _ = b.get("?period=all").weeks()
		is.Equal(n, 12)
	})
}
