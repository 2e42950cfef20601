package teaching_test

import (
	"net/http"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/test/kit/stores"
)

// Pages show the names of the records to which rows refer, on both stores.
func TestPagesShowNames(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		a := app.SystemActor(demo.SchoolID)
		b := s.as(t, owner)
		answers, err := s.Analytics.Answers(t.Context(), a, everything)
		is.NoErr(err)
		answered := answers.Items[0]
		quiz, err := s.Quizzes.WithQuestions(t.Context(), a, answered.Quiz)
		is.NoErr(err)
		submitted, err := s.Submissions.List(t.Context(), a, everything)
		is.NoErr(err)
		coupons, err := s.Coupons.List(t.Context(), a, everything)
		is.NoErr(err)
		var used []redemption.Summary
		for _, c := range coupons.Items {
			of, err := s.Redemptions.ListOf(t.Context(), a, c.ID, everything)
			is.NoErr(err)
			used = append(used, of.Items...)
		}
		enrolled, err := s.Analytics.Courses(t.Context(), a, everything)
		is.NoErr(err)
		nameOf := func(id person.ID) string {
			p, err := s.People.Get(t.Context(), a, id)
			is.NoErr(err)
			is.True(p.FullName() != "")
			return p.FullName()
		}
		course, err := s.Courses.Get(t.Context(), a, enrolled.Items[0].Course.String())
		is.NoErr(err)
		for path, names := range map[string][]string{
			"/courses/" + course.Permalink:                           {nameOf(enrolled.Items[0].Person)},
			"/people/" + enrolled.Items[0].Person.String():           {course.Name},
			"/people/" + answered.Person.String():                    {quiz.Name, quiz.Questions[0].Text},
			"/results?filter[person.id]=" + answered.Person.String(): {nameOf(answered.Person), quiz.Name},
			"/answers?filter[person.id]=" + answered.Person.String(): {nameOf(answered.Person), quiz.Name, quiz.Questions[0].Text},
			"/submissions":                        {nameOf(submitted.Items[0].Person)},
			"/coupons/" + used[0].Coupon.String(): {nameOf(used[0].Person)},
		} {
			p := b.get(path)
			is.Equal(p.status, http.StatusOK)
			is.True(!p.has("No name"))
			for _, name := range names {
				if !p.has(name) {
					t.Errorf("%s does not show %q", path, name)
				}
			}
		}
	})
}
