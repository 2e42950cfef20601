package app_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/change"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/token"
)

// learnerCases contains the use cases of the player and of learner tokens, for
// TestOutageAtEveryCall.
func learnerCases() map[string]unavailableCase {
	var quiz, essay app.PlayedActivity
	play := func(t *testing.T, c *classroom) {
		is := is.New(t)
		ada := c.as(c.ada)
		for _, q := range c.questions {
			_, err := c.Learning.AnswerQuiz(c.ctx, ada, c.ada, c.test, c.quiz, q, []string{"Yes"})
			is.NoErr(err)
		}
		shown, err := c.Player.Course(c.ctx, ada, "greek")
		is.NoErr(err)
		for _, a := range shown.Activities {
			p, err := c.Player.Activity(c.ctx, ada, "greek", a.Key)
			is.NoErr(err)
			switch a.Content.Kind {
			case activity.Quiz:
				quiz = p
			case activity.Assignment:
				essay = p
			}
		}
	}
	return map[string]unavailableCase{
		"Player.Course": {before: play, run: func(c *classroom) error {
			_, err := c.Player.Course(c.ctx, c.as(c.ada), "greek")
			return err
		}},
		"Player.Activity": {before: play, run: func(c *classroom) error {
			_, err := c.Player.Activity(c.ctx, c.as(c.ada), "greek", quiz.Activity.Key)
			return err
		}},
		"Player.Quiz": {before: play, run: func(c *classroom) error { _, err := c.Player.Quiz(c.ctx, c.as(c.ada), quiz); return err }},
		"Player.Submissions": {before: play, run: func(c *classroom) error {
			_, err := c.Player.Submissions(c.ctx, c.as(c.ada), essay)
			return err
		}},
		"Tokens.Create": {run: func(c *classroom) error {
			_, _, err := c.Tokens.Create(c.ctx, c.actor, c.ada, token.Expiry{})
			return err
		}},
		"Tokens.DeleteAll": {run: func(c *classroom) error { return c.Tokens.DeleteAll(c.ctx, c.actor, c.ada) }},
	}
}

// changeCases contains the use cases of the change feed, for TestOutageAtEveryCall.
func changeCases() map[string]unavailableCase {
	var next query.Query // continues after the first change
	read := func(t *testing.T, c *classroom) {
		is := is.New(t)
		page, err := c.Changes.List(c.ctx, c.actor, query.Query{Page: query.NewPage(1, 1)})
		is.NoErr(err)
		is.Equal(len(page.Items), 1)
		after := change.Schema.Edge(nil, page.Items[0], false)
		next = query.Query{Page: query.NewPage(1, 1), Cursor: &after}
	}
	return map[string]unavailableCase{
		"Changes.List": {before: read, run: func(c *classroom) error { _, err := c.Changes.List(c.ctx, c.actor, next); return err }},
		"Changes.Feed": {run: func(c *classroom) error { _, err := c.Changes.Feed(c.ctx, c.actor); return err }},
		"Changes.Last": {run: func(c *classroom) error { _, err := c.Changes.Last(c.ctx, c.actor); return err }},
		"Changes.Redemptions": {run: func(c *classroom) error {
			_, err := c.Changes.Redemptions(c.ctx, c.actor, query.Query{})
			return err
		}},
		"Changes.Enrollments": {run: func(c *classroom) error {
			_, err := c.Changes.Enrollments(c.ctx, c.actor, query.Query{})
			return err
		}},
		"Changes.Memberships": {run: func(c *classroom) error {
			_, err := c.Changes.Memberships(c.ctx, c.actor, query.Query{})
			return err
		}},
		"Audit.Exported": {run: func(c *classroom) error { return c.Audit.Exported(c.ctx, c.actor, person.Type) }},
		"Audit.Sweep":    {worker: true, run: func(c *classroom) error { return worked(c.Audit.Sweep(c.ctx)) }},
		"Bulk.Sweep":     {worker: true, run: func(c *classroom) error { return worked(c.Bulk.Sweep(c.ctx)) }},
		"Jobs.Sweep":     {worker: true, run: func(c *classroom) error { return worked(c.Jobs.Sweep(c.ctx)) }},
		"Changes.Sweep":  {worker: true, run: func(c *classroom) error { return worked(c.Changes.Sweep(c.ctx)) }},
	}
}
