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
	"lyceum/domain/ledger"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
)

// Backend is a store on which histories are replayed.
type Backend struct {
	Store   ports.Store
	Schools ports.Schools
	Queue   ports.Queue
}

// Place is a school in which a history takes place.
type Place struct {
	app        *app.App
	store      ports.Store
	clock      *fake.Clock
	actor      app.Actor
	school     school.ID
	people     [people]person.ID
	courses    [courses]course.ID
	activities [courses][activities]activity.ID
	questions  [questions]quiz.QuestionID
	done       chronicle
}

// ids gives ids and secrets that no other school of a shared store has.
type ids struct{}

func (ids) New() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func (ids) Random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// Settle makes a new school in the store: three people, two courses with a text,
// a video, a quiz and an assignment each, nobody enrolled.
func Settle(ctx context.Context, b Backend) (*Place, error) {
	p := &Place{clock: fake.NewClock(fake.Start), store: b.Store}
	p.app = app.New(
		b.Store, b.Schools, b.Queue, files.NewMemory(), fake.NewInviter(), p.clock, ids{})
	var text strings.Builder
	write := func(format string, args ...any) { _, _ = fmt.Fprintf(&text, format+"\n", args...) } // to memory
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

func (p *Place) newID(id *uuid.UUID) uuid.UUID {
	*id = uuid.New()
	return *id
}

func (p *Place) learnQuestions(ctx context.Context) error {
	return p.store.InTx(ctx, p.school, func(ctx context.Context, tx ports.Tx) error {
		a, err := tx.Activities.Get(ctx, p.activities[0][test])
		if err != nil {
			return err
		}
		found, err := tx.Quizzes.Load(ctx, []quiz.ID{a.Content.Quiz})
		for i, q := range found[a.Content.Quiz].State().Questions {
			p.questions[i] = q.ID
		}
		return err
	})
}

// Do does d at the present moment, and writes it down when there is no fault.
func (p *Place) Do(ctx context.Context, d deed) error {
	who, where := p.people[d.person], p.courses[d.course]
	what := p.activities[d.course][d.activity]
	place := []app.Place{{Course: where, Role: enrollment.Learner}}
	d.at = p.clock.Now()
	var err error
	switch d.what {
	case "enroll":
		err = p.app.Enrollments.Enroll(ctx, p.actor, who, place)
	case "unenroll":
		err = p.app.Enrollments.Unenroll(ctx, p.actor, who, place)
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
func (p *Place) rename(ctx context.Context, id person.ID, name string) error {
	return p.store.InTx(ctx, p.school, func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.People.Find(ctx, id)
		if err != nil {
			return err
		}
		s := found.State()
		s.FirstName = name
		return tx.People.Save(ctx, person.Restore(s))
	})
}

// Rebuild works out everything anew and returns what was different.
func (p *Place) Rebuild(ctx context.Context) (found []ledger.Difference, err error) {
	err = p.app.Rebuild.School(ctx, p.school, func(d ledger.Difference) { found = append(found, d) })
	return found, err
}

// show returns what the lists show.
func (p *Place) show(ctx context.Context) (picture, error) {
	var s picture
	var errs []error
	q := query.Query{Page: query.Everything()}
	r := p.store.Read(p.school)
	places, err := r.Enrollments.List(ctx, q)
	errs = append(errs, err)
	for _, e := range places.Items {
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
			of(row.Person, row.Course), row.CourseNumber, row.Score.Completed(), percent(int64(row.Score.Progress())),
			percent(int64(row.Score.PercentCorrect())), instant(&row.Score.LastAnsweredAt)))
	}
	answers, err := p.app.Analytics.Answers(ctx, p.actor, q)
	errs = append(errs, err)
	for _, row := range answers.Items {
		s.Answers = append(s.Answers, fmt.Sprintf("%s attempt %d question %s %s %v at %s",
			of(row.Person, row.Course), row.CourseNumber, row.Position, row.Answer.Response, row.Answer.Correct,
			instant(&row.Answer.At)))
	}
	return p.showDeeds(ctx, s, q, of, errs)
}

// names returns what writes "person in course", by the names of the moment.
func (p *Place) names(ctx context.Context) (func(person.ID, course.ID) string, error) {
	found, err := p.app.People.List(ctx, p.actor, query.Query{Page: query.Everything()})
	names := map[person.ID]string{}
	for _, one := range found.Items {
		names[one.ID] = one.FullName()
	}
	return func(who person.ID, where course.ID) string {
		return names[who] + " in " + courseName(slices.Index(p.courses[:], where))
	}, err
}
