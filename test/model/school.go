package model

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/files"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/stores"
)

// Replay is a school in which a history is replayed.
type Replay struct {
	app        *app.App
	store      ports.Store
	clock      *fake.Clock
	actor      app.Actor
	school     school.ID
	people     [people]person.ID
	courses    [courses]course.ID
	activities [courses][activities]activity.ID
	questions  [questions]quiz.QuestionID
	done       history
}

// ids generates ids and secrets that are unique in a shared store.
type ids struct{}

func (ids) New() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func (ids) Random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// NewReplay creates a new school in the store. It has three people, none of them enrolled, and two
// courses, each with a text, a video, a quiz and an assignment.
func NewReplay(ctx context.Context, b stores.Backend) (*Replay, error) {
	p := &Replay{clock: fake.NewClock(fake.Start), store: b.Store}
	p.app = app.New(
		b.Store, b.Schools, b.Queue, files.NewMemory(), fake.NewInvitationSender(), p.clock, ids{})
	var text strings.Builder
	write := func(format string, args ...any) { _, _ = fmt.Fprintf(&text, format+"\n", args...) } // writing to memory does not fail
	asked := make([]string, questions)
	for i := range asked {
		asked[i] = fmt.Sprintf(`{"text": "Question %d?", "choices": [{"text": "Yes", "correct": true}, {"text": "No"}]}`, i+1)
	}
	write(`{"kind": "quiz", "name": "Verbs", "questions": [%s]}`, strings.Join(asked, ", "))
	write(`{"kind": "assignment", "title": "Essay"}`)
	for i := range people {
		write(`{"kind": "person", "email": %q, "first_name": %q, "last_name": "Example", "activated_at": "2026-01-02T15:04:05.123Z", "id": %q}`,
			address(i), firstName(i), p.newID(&p.people[i].UUID))
	}
	for i := range courses {
		write(`{"kind": "course", "permalink": "course-%d", "name": %q, "id": %q}`, i+1, courseName(i), p.newID(&p.courses[i].UUID))
		for j, a := range []string{
			`"title": "Read", "type": "text"`, `"title": "Watch", "type": "video", "seconds": 60`,
			`"title": "Test", "type": "quiz", "quiz": "Verbs"`, `"title": "Write", "type": "assignment", "assignment": "Essay"`,
		} {
			write(`{"kind": "activity", "course": "course-%d", %s, "id": %q}`, i+1, a, p.newID(&p.activities[i][j].UUID))
		}
	}
	var key string
	var err error
	if p.school, key, err = (kit.School{Name: "History " + ids{}.New().String(), Lines: text.String()}).Import(ctx, p.app); err != nil {
		return nil, err
	}
	if p.actor, err = p.app.Auth.Authenticate(ctx, key); err != nil {
		return nil, err
	}
	return p, p.learnQuestions(ctx)
}

func address(person int) string {
	return strings.ToLower(firstName(person)) + "@example.test"
}

func (p *Replay) newID(id *uuid.UUID) uuid.UUID {
	*id = uuid.New()
	return *id
}

func (p *Replay) learnQuestions(ctx context.Context) error {
	return p.store.InTx(ctx, p.school, func(ctx context.Context, tx ports.Tx) error {
		a, err := tx.Activities.Get(ctx, p.activities[0][test])
		if err != nil {
			return err
		}
		found, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{a.Content.Quiz})
		for i, q := range found[a.Content.Quiz].State().Questions {
			p.questions[i] = q.ID
		}
		return err
	})
}

// Do executes d at the current time. If d succeeds, Do appends it to the history.
func (p *Replay) Do(ctx context.Context, d operation) error {
	who, where := p.people[d.person], p.courses[d.course]
	what := p.activities[d.course][d.activity]
	roles := []app.CourseRole{{Course: where, Role: enrollment.Learner}}
	d.at = p.clock.Now()
	var err error
	switch d.what {
	case "enroll":
		err = p.app.Enrollments.Enroll(ctx, p.actor, who, roles)
	case "unenroll":
		err = p.app.Enrollments.Unenroll(ctx, p.actor, who, roles)
	case "view":
		err = kit.NewLearning(p.app).View(ctx, p.actor, who, what)
	case "watch":
		err = kit.NewLearning(p.app).Watch(ctx, p.actor, who, what, event.Fraction(d.watched))
	case "complete":
		err = kit.NewLearning(p.app).Complete(ctx, p.actor, who, what)
	case "answer":
		_, err = kit.NewLearning(p.app).Answer(ctx, p.actor, who, what, p.questions[d.question], []string{response(d.right)})
	case "retake":
		err = kit.NewLearning(p.app).Retake(ctx, p.actor, who, where)
	case "submit":
		file := learning.Upload{Name: "essay.txt", Bytes: bytes.NewReader([]byte("essay"))}
		made, errSubmit := kit.NewLearning(p.app).Submit(ctx, p.actor, who, what, file)
		d.submission, err = made.ID.String(), errSubmit
	case "delete":
		err = p.app.People.Delete(ctx, p.actor, who)
	case "rename":
		err = p.rename(ctx, who, d.name)
	}
	if err == nil {
		p.done = append(p.done, d)
	}
	return err
}

// rename changes a person's first name.
func (p *Replay) rename(ctx context.Context, id person.ID, name string) error {
	return p.store.InTx(ctx, p.school, func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.People.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		s := found.State()
		s.FirstName = name
		return tx.People.Save(ctx, person.Restore(s))
	})
}

// Reconcile recomputes all derived data and returns the discrepancies.
func (p *Replay) Reconcile(ctx context.Context) (found []reconcile.Discrepancy, err error) {
	err = p.app.Reconcile.School(ctx, p.school, func(d reconcile.Discrepancy) { found = append(found, d) })
	return found, err
}

// show returns the content of the lists.
func (p *Replay) show(ctx context.Context) (picture, error) {
	var s picture
	var errs []error
	q := query.Query{Page: query.AllRows()}
	r := p.store.Read(p.school)
	enrollments, err := r.Enrollments.List(ctx, q)
	errs = append(errs, err)
	for _, e := range enrollments.Items {
		s.Enrollments = append(s.Enrollments, fmt.Sprintf("%d in %d since %s progress %s",
			slices.Index(p.people[:], e.Person), slices.Index(p.courses[:], e.Course), instant(&e.CreatedAt),
			percent(int64(*e.Progress))))
	}
	of, err := p.names(ctx)
	errs = append(errs, err)
	rows, err := p.app.Analytics.Courses(ctx, p.actor, q)
	errs = append(errs, err)
	for _, row := range rows.Items {
		s.Courses = append(s.Courses, fmt.Sprintf("%s since %s attempt %v progress %s last %s",
			of(row.Person, row.Course), instant(&row.EnrolledAt), row.Attempt.UUID != uuid.Nil,
			percent(int64(row.Progress)), instant(row.LastActivityCompletedAt)))
	}
	scores, err := p.app.Analytics.Scores(ctx, p.actor, q)
	errs = append(errs, err)
	for _, row := range scores.Items {
		s.Scores = append(s.Scores, fmt.Sprintf("%s attempt %d completed %s progress %s correct %s last %s",
			of(row.Person, row.Course), row.CourseAttemptNumber, row.Score.AnsweredOfTotal(), percent(int64(row.Score.Progress())),
			percent(int64(row.Score.PercentCorrect())), instant(&row.Score.LastAnsweredAt)))
	}
	answers, err := p.app.Analytics.Answers(ctx, p.actor, q)
	errs = append(errs, err)
	for _, row := range answers.Items {
		s.Answers = append(s.Answers, fmt.Sprintf("%s attempt %d question %s %s %v at %s",
			of(row.Person, row.Course), row.CourseAttemptNumber, row.Position, row.Answer.Response, row.Answer.Correct,
			instant(&row.Answer.At)))
	}
	return p.showOperations(ctx, s, q, of, errs)
}

// names returns a function that formats "person in course" with the current names.
func (p *Replay) names(ctx context.Context) (func(person.ID, course.ID) string, error) {
	found, err := p.app.People.List(ctx, p.actor, query.Query{Page: query.AllRows()})
	names := map[person.ID]string{}
	for _, one := range found.Items {
		names[one.ID] = one.FullName()
	}
	return func(who person.ID, where course.ID) string {
		return names[who] + " in " + courseName(slices.Index(p.courses[:], where))
	}, err
}
