package teaching_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/stores"
)

var versions = regexp.MustCompile(`name="version" value="([0-9a-f]+)"`)

// versionIn returns the version of the record in the form of a page.
func versionIn(t *testing.T, p page) string {
	t.Helper()
	found := versions.FindStringSubmatch(p.body)
	is.New(t).Equal(len(found), 2)
	return found[1]
}

// A form is not saved if the record was changed after the form was opened. The page then shows what
// the person has typed and the stored values, and the form can be saved again.
func TestLostUpdates(t *testing.T) {
	const builder = ownCourse + "/builder"
	for _, tt := range []struct {
		name, form, save string
		first, second    []string // of both people
		stored, typed    string   // in the page about the conflict
	}{
		{
			"text", builder + "/rules", builder + "/rules",
			[]string{"title", "Rules", "text", "First text"},
			[]string{"title", "Rules of chess", "text", "Old text"},
			"<dd>First text</dd>", `value="Rules of chess"`,
		},
		{
			"quiz", builder + "/test", builder + "/test",
			[]string{"title", "Test", "q0key", "who", "q0", "Who?", "q0c0", "White", "q0c1", "Black", "q0c1correct", "1"},
			[]string{"title", "Test 2", "q0key", "who", "q0", "Who?", "q0c0", "White", "q0c0correct", "1", "q0c1", "Black"},
			"- Black (correct)", `value="Test 2"`,
		},
		{
			"course", ownCourse + "/edit", ownCourse + "/edit",
			[]string{"name", "Light A", "permalink", "seeing-light"},
			[]string{"name", "Light B", "permalink", "seeing-light"},
			"<dd>Light A</dd>", `value="Light B"`,
		},
		{
			"person", "/people/{learner}/edit", "/people/{learner}/edit",
			[]string{"email", learner, "first_name", "Anna"},
			[]string{"email", learner, "first_name", "Berta"},
			"<dd>Anna</dd>", `value="Berta"`,
		},
		{"group", "/groups/{group}", "/groups/{group}", []string{"name", "Group A"}, []string{"name", "Group B"}, "<dd>Group A</dd>", `value="Group B"`},
		{"category", "/categories/{category}", "/categories/{category}", []string{"name", "Cat A"}, []string{"name", "Cat B"}, "<dd>Cat A</dd>", `value="Cat B"`},
		{
			"coupon", "/coupons/{coupon}", "/coupons/{coupon}",
			[]string{"code", "HALF-A", "currency", "EUR", "format", "percentage", "value", "50", "maximum_usages", "99", "start_on", "2026-01-01"},
			[]string{"code", "HALF-B", "currency", "EUR", "format", "percentage", "value", "50", "maximum_usages", "99", "start_on", "2026-01-01"},
			"<dd>HALF-A</dd>", `value="HALF-B"`,
		},
		{
			"settings", "/settings", "/settings",
			[]string{"name", "School A", "slug", "riverside-academy", "authentication", "preregistration"},
			[]string{"name", "School B", "slug", "riverside-academy", "authentication", "preregistration"},
			"<dd>School A</dd>", `value="School B"`,
		},
		{
			"webhook", "/webhooks/{endpoint}", "/webhooks/{endpoint}",
			[]string{"url", "https://hooks.example.test", "type", "people"},
			[]string{"url", "https://hooks.example.test", "type", "*", "description", "Hook B"},
			"<dd>people</dd>", `value="Hook B"`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stores.Each(t, func(t *testing.T, open stores.Opener) {
				is := is.New(t)
				s := newServer(t, open)
				b, names := s.as(t, owner), s.records(t)
				b.save(builder, "is added", "kind", "text", "title", "Rules", "text", "Old text")
				b.save(builder, "is added", "kind", "quiz", "title", "Test", "q0", "Who?", "q0c0", "White", "q0c0correct", "1", "q0c1", "Black")
				form, save := names.Replace(tt.form), names.Replace(tt.save)
				send := func(fields []string, version string) page {
					t.Helper()
					fields = append(fields[:len(fields):len(fields)], "version", version)
					p := b.post(save, fields...)
					if reviewed := fingerprint(p.body); reviewed != "" {
						p = b.post(save, append(fields, "reviewed", reviewed)...)
					}
					return p
				}
				opened := versionIn(t, b.get(form))
				is.True(send(tt.first, opened).has("Saved."))
				refused := send(tt.second, opened)
				is.Equal(refused.status, http.StatusUnprocessableEntity)
				is.True(refused.has("changed after you opened the form"))
				is.True(refused.has(tt.stored))
				is.True(refused.has(tt.typed))
				is.True(!b.get(form).has(tt.typed)) // nothing was saved

				is.True(send(tt.second, versionIn(t, refused)).has("Saved."))
				is.True(b.get(form).has(tt.typed))
			})
		})
	}
}

// Of several changes at once with the same version, one is saved.
func TestLostUpdatesAtOnce(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, names := s.as(t, owner), s.records(t)
		path := names.Replace("/people/{learner}/edit")
		opened := versionIn(t, b.get(path))
		const tabs = 4
		statuses := make([]int, tabs)
		var all sync.WaitGroup
		for i := range tabs {
			all.Go(func() {
				form := formOf("email", learner, "first_name", fmt.Sprint("Name ", i), "version", opened)
				statuses[i] = b.send(http.MethodPost, s.base+path, strings.NewReader(form), formType, "same-origin").status
			})
		}
		all.Wait()
		slices.Sort(statuses)
		is.Equal(statuses, []int{http.StatusOK, http.StatusUnprocessableEntity, http.StatusUnprocessableEntity, http.StatusUnprocessableEntity})
	})
}

// A change of another activity does not refuse a form. If the activity was removed, its form
// becomes that of a new activity.
func TestFormOfARemovedActivity(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, instructor)
		const builder = ownCourse + "/builder"
		b.save(builder, "is added", "kind", "text", "title", "One", "text", "Old")
		b.save(builder, "is added", "kind", "text", "title", "Two", "text", "Old")
		opened := versionIn(t, b.get(builder+"/one"))
		b.save(builder+"/two/remove", "is deleted")
		is.True(b.save(builder+"/one", "changes", "kind", "text", "title", "One", "text", "New", "version", opened).has("Saved."))

		opened = versionIn(t, b.get(builder+"/one"))
		b.save(builder+"/one/remove", "is deleted")
		p := b.post(builder+"/one", "kind", "text", "title", "One", "text", "Typed", "version", opened)
		is.Equal(p.status, http.StatusUnprocessableEntity)
		is.True(p.has("was removed after you opened the form") && p.has(">Typed</textarea>"))
		is.True(!versions.MatchString(p.body))
		is.True(!strings.Contains(s.titles(t, "seeing-light"), "One"))
	})
}
