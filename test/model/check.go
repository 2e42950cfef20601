package model

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"lyceum/test/kit/stores"
	"pgregory.net/rapid"
)

// Run replays random histories on the store, each in a new school. A failure prints the seed that
// reproduces it and the shortest history that fails.
func Run(t *testing.T, b stores.Backend) {
	t.Helper()
	rapid.Check(t, func(r *rapid.T) {
		p, err := NewReplay(t.Context(), b)
		if err != nil {
			r.Fatal(err)
		}
		steps := rapid.IntRange(1, 80).Draw(r, "steps")
		for range steps {
			// Half of the operations happen at the same instant as the previous operation.
			p.clock.Advance(time.Duration(rapid.IntRange(0, 1).Draw(r, "seconds")) * time.Second)
			d := draw(r)
			err := p.Do(t.Context(), d)
			if may := p.done.allows(d, err == nil); may != (err == nil) {
				r.Fatalf("%+v: %v", d, err)
			}
		}
		p.compare(t.Context(), r)
		wrong, err := p.Reconcile(t.Context())
		if err != nil || len(wrong) > 0 {
			r.Fatalf("rebuilt: %v, %v", wrong, err)
		}
		p.compare(t.Context(), r)
	})
}

// draw returns a random operation. Learning is more frequent than deletions, because a deleted
// person can do nothing else.
func draw(r *rapid.T) operation {
	d := operation{
		what: rapid.SampledFrom([]string{
			"enroll", "enroll", "enroll", "unenroll", "view", "watch", "complete", "complete", "complete", "complete",
			"complete", "answer", "answer", "answer", "answer", "answer", "answer", "retake", "retake", "submit", "delete", "rename",
		}).Draw(r, "what"),
		person: rapid.IntRange(0, people-1).Draw(r, "person"), course: rapid.IntRange(0, courses-1).Draw(r, "course"),
	}
	if d.what == "delete" && rapid.IntRange(0, 3).Draw(r, "spared") > 0 {
		d.what = "view"
	}
	switch d.what {
	case "view", "complete":
		d.activity = rapid.IntRange(0, activities-1).Draw(r, "activity")
	case "watch":
		d.activity, d.watched = video, rapid.Int64Range(0, 1_000_000).Draw(r, "watched")
	case "answer":
		d.activity, d.question = test, rapid.IntRange(0, questions-1).Draw(r, "question")
		d.right = rapid.Bool().Draw(r, "right")
	case "submit":
		d.activity = work
	case "rename":
		d.name = fmt.Sprintf("Name %d", rapid.IntRange(0, 9).Draw(r, "name"))
	}
	return d
}

// allows reports whether the use cases must accept d after the operations in c. If done is true, d
// was accepted and is already the last operation of c. A deleted person cannot do anything, a
// person who is not enrolled cannot learn, and a course can be started again only if the last
// attempt is complete.
func (c history) allows(d operation, done bool) bool {
	before := c
	if done {
		before = c[:len(c)-1]
	}
	switch d.what {
	case "enroll", "unenroll", "delete", "rename":
		return !before.isDeleted(d.person)
	}
	if before.isDeleted(d.person) || before.enrolled(d.person, d.course) == nil {
		return false
	}
	if attempts := before.attempts(d.person, d.course); d.what == "retake" && len(attempts) > 0 {
		progress, _ := attempts[len(attempts)-1].progress()
		return progress == 10000
	}
	return true
}

// compare fails the test if the lists of the school differ from the expected lists.
func (p *Replay) compare(ctx context.Context, r *rapid.T) {
	got, err := p.show(ctx)
	if err != nil {
		r.Fatal(err)
	}
	if diff := cmp.Diff(p.done.expect(), got, cmpopts.EquateEmpty()); diff != "" {
		r.Fatalf("after %d operations (-want +got)\n%s", len(p.done), diff)
	}
}
