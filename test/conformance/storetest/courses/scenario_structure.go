package courses

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/structure"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// randomCourse is a course whose structure changes at random while people learn in it. It records
// which activities have learner data.
type randomCourse struct {
	fixture.World
	rnd     *rand.Rand
	lesson  fixture.CourseFixture
	people  []person.ID
	touched map[activity.ID]bool
	created int // number of keys created so far
}

// structureScenario changes a course at random. After each change, it compares the course with the
// plan, and derived data with the source records.
func structureScenario(t *testing.T, b fixture.Backend) {
	for seed := range uint64(3) {
		w := fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		a := &randomCourse{World: w, rnd: rand.New(rand.NewPCG(seed, 12)), lesson: l, touched: map[activity.ID]bool{}}
		for i := range 3 {
			a.people = append(a.people, l.AddLearner(w.Tenant, fmt.Sprintf("p%d@example.test", i)).Person)
		}
		for range 12 {
			a.addLearning()
			a.change()
		}
	}
}

// change revises the course with a random plan and checks the result.
func (a *randomCourse) change() {
	a.T.Helper()
	is, c := is.New(a.T), a.lesson.Course.ID
	was := structureOf(a.World.Tenant, c)
	p := a.changePlan(was)
	answers := len(a.All().RawAnswers)
	r, err := revise(a.World.Tenant, c, p)
	is.NoErr(err)
	now := structureOf(a.World.Tenant, c)
	for _, id := range r.Removed { // only activities without learner data are deleted
		is.True(!a.touched[id])
	}
	is.Equal(fixture.Diff(now.Activities, r.After.Activities), "")
	is.Equal(fixture.Diff(now.Archived, r.After.Archived), "")

	is.Equal(len(now.Activities), len(p.Activities))
	named := map[string]bool{}
	for i, got := range now.Activities {
		plan := p.Activities[i]
		named[plan.Key] = true
		is.Equal([]any{got.Key, got.Title, got.Position}, []any{plan.Key, plan.Title, i + 1})
		is.Equal(got.Content.Kind.String(), plan.Kind)
		if plan.Quiz != nil {
			a.sameQuiz(now.Quizzes[got.Content.Quiz], *plan.Quiz)
		}
		if plan.Assignment != nil {
			is.Equal(now.Assignments[got.Content.Assignment].Title, plan.Assignment.Title)
		}
	}
	var archived []string
	for _, old := range slices.Concat(was.Archived, was.Activities) {
		if !named[old.Key] && (old.Archived() || a.touched[old.ID]) {
			archived = append(archived, old.Key)
		}
	}
	slices.Sort(archived)
	is.Equal(archived, keysOf(now.Archived))

	is.Equal(a.MustReconcile(), nil) // progress and scores match the source records
	is.Equal(len(a.All().RawAnswers), answers)
	a.checkPositions()
	for _, q := range a.All().Quizzes {
		var stands []activity.ID
		for _, one := range a.All().Activities {
			if one.Content.Quiz == q.ID {
				stands = append(stands, one.ID)
			}
		}
		is.Equal(len(q.Activities), len(stands))
	}
	again := mustRevise(a.World.Tenant, c, planOf(now))
	is.True(again.Empty())
	is.Equal(again.Report.Unchanged, len(now.Activities))
}

func (a *randomCourse) sameQuiz(got quiz.State, plan structure.Quiz) {
	a.T.Helper()
	is := is.New(a.T)
	is.Equal(got.Name, plan.Name)
	is.Equal(len(got.Questions), len(plan.Questions))
	for i, q := range got.Questions {
		want := plan.Questions[i]
		want.ID = q.ID
		is.Equal(fixture.Diff(q, want), "")
	}
}

func keysOf(activities []activity.State) []string {
	var keys []string
	for _, a := range activities {
		keys = append(keys, a.Key)
	}
	return keys
}

// changePlan returns the plan of s with one to four random changes.
func (a *randomCourse) changePlan(s structure.Structure) structure.Plan {
	p, rnd := planOf(s), a.rnd
	for range 1 + rnd.IntN(4) {
		n := len(p.Activities)
		switch at := rnd.IntN(n + 1); {
		case rnd.IntN(3) == 0 && len(s.Archived) > 0:
			old := fixture.Pick(rnd, s.Archived)
			one := planOf(structure.Structure{
				Activities: []activity.State{old}, Quizzes: s.Quizzes, Assignments: s.Assignments,
			}).Activities[0]
			if !slices.ContainsFunc(p.Activities, func(o structure.Activity) bool { return o.Key == one.Key }) {
				p.Activities = slices.Insert(p.Activities, at, one)
			}
		case n == 0 || rnd.IntN(3) == 0:
			p.Activities = slices.Insert(p.Activities, at, a.newPlannedActivity())
		case rnd.IntN(3) == 0:
			p.Activities = slices.Delete(p.Activities, at%n, at%n+1)
		case rnd.IntN(3) == 0:
			rnd.Shuffle(n, func(i, j int) { p.Activities[i], p.Activities[j] = p.Activities[j], p.Activities[i] })
		default:
			one := &p.Activities[at%n]
			one.Title = fmt.Sprintf("Title %d", rnd.IntN(1000))
			if one.Assignment != nil {
				one.Assignment.Title = one.Title
			}
			if one.Quiz != nil {
				a.changeQuestions(one.Quiz)
			}
		}
	}
	return p
}

// newPlannedActivity returns a planned activity of a random kind.
func (a *randomCourse) newPlannedActivity() structure.Activity {
	a.created++
	minute := int64(60)
	one := structure.Activity{Key: fmt.Sprintf("new-%d", a.created), Title: fmt.Sprintf("New %d", a.created), Kind: "text"}
	switch a.rnd.IntN(4) {
	case 0:
		one.Kind, one.Duration = "video", &minute
	case 1:
		one.Kind, one.Quiz = "quiz", &structure.Quiz{Defined: true}
		a.changeQuestions(one.Quiz)
	case 2:
		one.Kind, one.Assignment = "assignment", &structure.Assignment{Defined: true, Title: one.Title}
	}
	return one
}

// changeQuestions gives q a random name and one to five of ten questions, in random order.
func (a *randomCourse) changeQuestions(q *structure.Quiz) {
	q.Name, q.Questions = fmt.Sprintf("Quiz %d", a.rnd.IntN(1000)), nil
	for _, n := range a.rnd.Perm(10)[:1+a.rnd.IntN(5)] {
		q.Questions = append(q.Questions, quiz.Question{
			Key: fmt.Sprintf("question-%d", n+1), Text: fmt.Sprintf("Question %d, %d?", n+1, a.rnd.IntN(3)),
			Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No", Correct: a.rnd.IntN(2) == 0}},
		})
	}
}

// addLearning records actions of people in a few activities of the course.
func (a *randomCourse) addLearning() {
	a.T.Helper()
	s := structureOf(a.World.Tenant, a.lesson.Course.ID)
	for range a.rnd.IntN(4) {
		if len(s.Activities) == 0 {
			return
		}
		one, who, action := fixture.Pick(a.rnd, s.Activities), fixture.Pick(a.rnd, a.people), a.rnd.IntN(3)
		a.Do(func(ctx context.Context, tx ports.Tx) error {
			_, err := recordActivity(ctx, tx, a.World.Tenant, who, one.ID, action)
			return err
		})
		a.touched[one.ID] = true
	}
}

// recordActivity records an action as a use case does and reports whether it was recorded. It does
// nothing if the activity is archived or deleted.
func recordActivity(ctx context.Context, tx ports.Tx, s fixture.Tenant, who person.ID, id activity.ID, what int) (bool, error) {
	found, err := tx.Activities.GetManyForShare(ctx, []activity.ID{id})
	a, ok := found[id]
	if err != nil || !ok || a.State().Archived() {
		return false, err
	}
	switch kind := a.State().Content.Kind; {
	case what == 0 && kind == activity.Quiz:
		return true, respond(ctx, tx, s, who, a.State())
	case what == 0 && kind == activity.Assignment:
		in, err := s.CurrentAttempt(ctx, tx, who, a.State().Course)
		if err != nil {
			return false, err
		}
		return true, tx.Submissions.Add(ctx, s.NewSubmission(in.State(), a.State()))
	case what == 1:
		if _, err := s.CurrentAttempt(ctx, tx, who, a.State().Course); err != nil {
			return false, err
		}
		return true, fixture.Second(tx.Events.Append(ctx, []event.Event{event.NewView(who, id)}, s.NextTime()))
	}
	return true, s.CompleteActivity(ctx, tx, who, a.State())
}

// respond answers the next question of the quiz of an activity with the question's first choice.
func respond(ctx context.Context, tx ports.Tx, s fixture.Tenant, who person.ID, a activity.State) error {
	in, err := s.CurrentAttempt(ctx, tx, who, a.Course)
	if err != nil {
		return err
	}
	quizzes, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{a.Content.Quiz})
	if err != nil {
		return err
	}
	about := quizzes[a.Content.Quiz]
	run, fresh, err := quizAttemptIn(ctx, tx, s, in, a)
	if err != nil {
		return err
	}
	questions := about.State().Questions
	question := questions[len(run.State().Answers)%len(questions)]
	if _, err := run.Answer(about, question.ID, []string{question.Choices[0].Text}, s.NextTime()); err != nil {
		return err
	}
	if fresh {
		return tx.QuizAttempts.Add(ctx, run)
	}
	return tx.QuizAttempts.Save(ctx, run)
}

func quizAttemptIn(
	ctx context.Context, tx ports.Tx, s fixture.Tenant, in attempt.Attempt, a activity.State,
) (run quizattempt.Attempt, fresh bool, err error) {
	id := quizattempt.ID{UUID: s.IDs.New()}
	last, err := tx.QuizAttempts.Latest(ctx, in.State().ID, a.ID)
	switch {
	case fixture.IsNotFound(err):
		return quizattempt.Begin(id, in.State(), a, nil, s.NextTime()), true, nil
	case err == nil && last.State().Score.Complete():
		return quizattempt.Begin(id, in.State(), a, &last, s.NextTime()), true, nil
	}
	return last, false, err
}
