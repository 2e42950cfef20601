package teaching

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/app/usecase"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/submission"
)

// The functions in this file set the names in the rows of a page. A list contains the IDs of the
// records to which its rows refer, and a store need not read their names.

// namesOf returns the names of the records with the given IDs. list returns a page of such records,
// and of the ID and the name of a record.
func namesOf[ID interface {
	comparable
	~struct{ uuid.UUID }
}, T any](
	ctx context.Context, a usecase.Actor, ids []ID, schema query.Schema[T],
	list func(context.Context, usecase.Actor, query.Query) (query.Result[T], error), of func(T) (ID, string),
) (map[ID]string, error) {
	names := map[ID]string{}
	if len(ids) == 0 {
		return names, nil
	}
	found, err := list(ctx, a, query.Query{Where: query.HasAnyID(schema.Attr("uuid"), ids), Page: query.AllRows(), WithoutProperties: true})
	for _, record := range found.Items {
		id, name := of(record)
		names[id] = name
	}
	return names, err
}

// each returns the results of of for each row.
func each[R, ID any](rows []R, of func(R) ID) []ID {
	ids := make([]ID, len(rows))
	for i, r := range rows {
		ids[i] = of(r)
	}
	return ids
}

func (t *Teaching) peopleNames(ctx context.Context, s Staff, ids []person.ID) (map[person.ID]string, error) {
	return namesOf(ctx, s.actor.PermitStaff(), ids, person.Schema, t.app.People.List,
		func(p person.Summary) (person.ID, string) { return p.ID, p.FullName() })
}

func (t *Teaching) courseNames(ctx context.Context, s Staff, ids []course.ID) (map[course.ID]string, error) {
	return namesOf(ctx, s.actor.PermitStaff(), ids, course.Schema, t.app.Courses.List,
		func(c course.Summary) (course.ID, string) { return c.ID, c.Name })
}

func (t *Teaching) quizNames(ctx context.Context, s Staff, ids []quiz.ID) (map[quiz.ID]string, error) {
	return namesOf(ctx, s.actor.PermitStaff(), ids, quiz.Schema, t.app.Quizzes.List,
		func(q quiz.Summary) (quiz.ID, string) { return q.ID, q.Name })
}

func (t *Teaching) nameProgress(ctx context.Context, s Staff, rows []analytics.CourseProgress) error {
	people, err := t.peopleNames(ctx, s, each(rows, func(r analytics.CourseProgress) person.ID { return r.Person }))
	if err != nil {
		return err
	}
	courses, err := t.courseNames(ctx, s, each(rows, func(r analytics.CourseProgress) course.ID { return r.Course }))
	for i := range rows {
		r := &rows[i]
		r.PersonName, r.CourseName = people[r.Person], courses[r.Course]
	}
	return err
}

func (t *Teaching) nameScores(ctx context.Context, s Staff, rows []analytics.QuizScore) error {
	people, err := t.peopleNames(ctx, s, each(rows, func(r analytics.QuizScore) person.ID { return r.Person }))
	if err != nil {
		return err
	}
	courses, err := t.courseNames(ctx, s, each(rows, func(r analytics.QuizScore) course.ID { return r.Course }))
	if err != nil {
		return err
	}
	quizzes, err := t.quizNames(ctx, s, each(rows, func(r analytics.QuizScore) quiz.ID { return r.Quiz }))
	for i := range rows {
		r := &rows[i]
		r.PersonName, r.CourseName, r.QuizName = people[r.Person], courses[r.Course], quizzes[r.Quiz]
	}
	return err
}

func (t *Teaching) nameAnswers(ctx context.Context, s Staff, rows []analytics.RawAnswer) error {
	people, err := t.peopleNames(ctx, s, each(rows, func(r analytics.RawAnswer) person.ID { return r.Person }))
	if err != nil {
		return err
	}
	quizzes := map[quiz.ID]quiz.State{}
	for i := range rows {
		r := &rows[i]
		q, known := quizzes[r.Quiz]
		if !known {
			if q, err = t.app.Quizzes.WithQuestions(ctx, s.actor.PermitStaff(), r.Quiz); err != nil {
				return err
			}
			quizzes[r.Quiz] = q
		}
		r.PersonName, r.QuizName = people[r.Person], q.Name
		for _, question := range slices.Concat(q.Questions, q.Archived) {
			if question.ID == r.Answer.Question {
				r.QuestionText = question.Text
			}
		}
	}
	return nil
}

func (t *Teaching) nameSubmissions(ctx context.Context, s Staff, rows []submission.Summary) error {
	people, err := t.peopleNames(ctx, s, each(rows, func(r submission.Summary) person.ID { return r.Person }))
	if err != nil {
		return err
	}
	courses, err := t.courseNames(ctx, s, each(rows, func(r submission.Summary) course.ID { return r.Course }))
	if err != nil {
		return err
	}
	assignments := each(rows, func(r submission.Summary) assignment.ID { return r.Assignment })
	titles, err := namesOf(ctx, s.actor.PermitStaff(), assignments, assignment.Schema, t.app.Assignments.List,
		func(a assignment.State) (assignment.ID, string) { return a.ID, a.Title })
	for i := range rows {
		r := &rows[i]
		r.PersonName, r.CourseName, r.AssignmentTitle = people[r.Person], courses[r.Course], titles[r.Assignment]
	}
	return err
}

func (t *Teaching) nameRedemptions(ctx context.Context, s Staff, rows []redemption.Summary) error {
	people, err := t.peopleNames(ctx, s, each(rows, func(r redemption.Summary) person.ID { return r.Person }))
	for i := range rows {
		rows[i].PersonName = people[rows[i].Person]
	}
	return err
}
