package transfer_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/transfer/format"
	"pgregory.net/rapid"
)

// schoolCount is the number of random schools.
const schoolCount = 4

// TestRandomSchoolsRoundTrip exports random schools and imports them into the other store. Exports
// from both stores must be equal byte for byte. A second import of the same file must change
// nothing.
func TestRandomSchoolsRoundTrip(t *testing.T) {
	stores := []useCases{inMemory(), onPostgres(t)}
	size := rapid.Custom(func(r *rapid.T) demo.Size {
		return demo.Size{
			People: rapid.IntRange(4, 40).Draw(r, "people"), Courses: rapid.IntRange(1, 4).Draw(r, "courses"),
			Categories: rapid.IntRange(1, 4).Draw(r, "categories"), Coupons: rapid.IntRange(0, 4).Draw(r, "coupons"),
			Groups: rapid.IntRange(2, 6).Draw(r, "groups"), Enrollments: rapid.IntRange(1, 3).Draw(r, "enrollments"),
			Memberships: rapid.IntRange(0, 4).Draw(r, "memberships"), Answers: rapid.IntRange(0, 30).Draw(r, "answers"),
			Events: rapid.IntRange(0, 30).Draw(r, "events"), Seed: rapid.Uint64().Draw(r, "seed"),
		}
	}).Filter(func(s demo.Size) bool { return s.Validate() == nil })
	for try := range schoolCount {
		is := is.New(t)
		from, to := stores[try%2], stores[1-try%2]
		drawn := size.Example()
		t.Logf("%+v", drawn)
		id := from.generateSchool(t, unique("Any"), drawn)
		want := editRandomly(t, from.export(t, id), drawn.Seed)
		_, err := from.Transfers.Import(t.Context(), app.SystemActor(id), reading(want))
		is.NoErr(err)
		is.Equal(differences(t, from, id), 0)
		checkUnchanged(t, from, id, want)
		text := from.export(t, id)
		there := to.importSchool(t, text)
		is.Equal(to.export(t, there), text)
		is.Equal(differences(t, to, there), 0)
		checkUnchanged(t, to, there, text)
		checkUnchanged(t, to, there, want)
	}
}

// editRandomly returns the file of a school with random changes: archived and moved questions and
// activities, and redeemed coupons.
func editRandomly(t *testing.T, text string, seed uint64) string {
	t.Helper()
	var b bytes.Buffer
	out, chance := format.NewWriter(&b), rand.New(rand.NewPCG(seed, 1))
	var people, coupons []string
	last := map[string]int{} // last position of each course
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	is := is.New(t)
	for in := format.NewReader(strings.NewReader(text)); ; {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		is.NoErr(err)
		switch l := line.Record.(type) {
		case *format.School:
			is.NoErr(out.Write(l))
		case *format.Person:
			people = append(people, l.Email)
		case *format.Coupon:
			coupons = append(coupons, l.Code)
		case *format.Quiz:
			chance.Shuffle(len(l.Questions), func(i, j int) { l.Questions[i], l.Questions[j] = l.Questions[j], l.Questions[i] })
			asked := 1 + chance.IntN(len(l.Questions))
			for i := range l.Questions {
				l.Questions[i].Archived = i >= asked
			}
			is.NoErr(out.Write(l))
		case *format.Activity:
			switch l.Position = 0; chance.IntN(3) {
			case 0:
				l.ArchivedAt = format.NewInstant(day.Add(time.Duration(chance.IntN(1000)) * time.Hour))
			case 1:
				last[l.Course] += 1 + chance.IntN(3)
				l.Position = last[l.Course]
			}
			is.NoErr(out.Write(l))
		}
	}
	for range len(coupons) * 3 {
		is.NoErr(out.Write(format.Redemption{
			Kind: format.RedemptionKind, Coupon: coupons[chance.IntN(len(coupons))], Person: people[chance.IntN(len(people))],
			CreatedAt: format.NewInstant(day.Add(time.Duration(chance.IntN(3)) * time.Hour)),
		}))
	}
	is.NoErr(out.Close())
	return b.String()
}
