package memory_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Every transaction of this test moves all enrollments and memberships of a person, renames the
// person and replaces another person. Each state therefore has the same numbers of people, learners
// and members. A reader that saw part of a transaction, or nodes that a writer was changing, would
// find different numbers.
func TestReadersSeeWholeTransactions(t *testing.T) {
	const people, courses, rounds, readers = 300, 7, 1000, 3
	store, s := newSchool(t)
	addPeople(t, store, s, 0, people)
	addCourses(t, store, s, courses)
	addGroups(t, store, s, courses)
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error { return place(ctx, tx, 0, courses) })

	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			for ctx.Err() == nil {
				checkWhole(t, store.Read(s), people)
			}
		})
	}
	for round := range rounds {
		write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
			return shuffle(ctx, tx, round, courses, people)
		})
	}
	stop()
	wg.Wait()
	checkWhole(t, store.Read(s), people)
}

// shuffle does the writes of one transaction of TestReadersSeeWholeTransactions.
func shuffle(ctx context.Context, tx ports.Tx, round, courses, people int) error {
	if err := tx.Enrollments.DeleteByPerson(ctx, personID(0)); err != nil {
		return err
	}
	if err := tx.Memberships.DeleteByPerson(ctx, personID(0)); err != nil {
		return err
	}
	if err := place(ctx, tx, 1+round, courses); err != nil {
		return err
	}
	renamed := newPerson(0).State()
	renamed.LastName = fmt.Sprintf("Round %d", round)
	if err := tx.People.Save(ctx, person.Restore(renamed)); err != nil {
		return err
	}
	if err := tx.People.Delete(ctx, personID(1+round)); err != nil {
		return err
	}
	return tx.People.Add(ctx, newPerson(people+round))
}

// place enrolls person 0 in two courses and adds the person to two groups. The round determines
// which ones. There are as many groups as courses.
func place(ctx context.Context, tx ports.Tx, round, courses int) error {
	id, one, two := 10_000+2*round, round%courses, (round+1)%courses
	es := []enrollment.Enrollment{enroll(id, 0, one), enroll(id+1, 0, two)}
	if _, err := tx.Enrollments.AddIfAbsent(ctx, es); err != nil {
		return err
	}
	_, err := tx.Memberships.AddIfAbsent(ctx, []membership.Membership{join(id, 0, one), join(id+1, 0, two)})
	return err
}

func checkWhole(t *testing.T, r ports.Reader, people int) {
	is := is.New(t)
	ctx := t.Context()
	for _, sort := range [][]query.Order{nil, {{Attr: person.Schema.Attr("uuid")}}, {{Attr: person.Schema.Attr("email")}}} {
		all, err := r.People.List(ctx, query.Query{Sort: sort, Page: query.AllRows()})
		is.NoErr(err)
		is.Equal(len(all.Items), people)
	}
	courses, err := r.Courses.List(ctx, query.Query{Page: query.AllRows()})
	is.NoErr(err)
	var learners int64
	for _, c := range courses.Items {
		learners += c.EnrollmentsCount
	}
	is.Equal(learners, int64(2))
	groups, err := r.Groups.List(ctx, query.Query{Page: query.AllRows()})
	is.NoErr(err)
	var members int64
	for _, g := range groups.Items {
		members += g.MembershipCount
	}
	is.Equal(members, int64(2))
	ms, err := r.Memberships.List(ctx, query.Query{})
	is.NoErr(err)
	is.Equal(len(ms.Items), 2)
	es, err := r.Enrollments.ByPerson(ctx, personID(0))
	is.NoErr(err)
	is.Equal(len(es), 2)
	p, err := r.People.Get(ctx, personID(0))
	is.NoErr(err)
	is.Equal(p.CourseCount, int64(2))
	is.Equal(p.GroupCount, int64(2))
}

func TestRegistryUnderManyWriters(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	const writers, each = 4, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				n := w*each + i
				k := school.Key{
					ID: school.KeyID{UUID: nth(n)}, School: s, Name: "key", Scope: school.Read,
					Hash: school.HashSecret(fmt.Sprint(n)), CreatedAt: then,
				}
				is.NoErr(store.InTx(t.Context(), s, func(ctx context.Context, tx ports.Tx) error { return tx.Keys.Add(ctx, k) }))
				is.NoErr(store.Schools().TouchKey(t.Context(), k.ID, then))
				got, _, err := store.Schools().KeyByHash(t.Context(), k.Hash)
				is.NoErr(err)
				is.Equal(got.ID, k.ID)
			}
		})
	}
	wg.Wait()
	keys, err := store.Schools().ListKeys(t.Context(), s)
	is.NoErr(err)
	is.Equal(len(keys), writers*each)
}
