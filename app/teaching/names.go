package teaching

import (
	"context"
	"slices"

	"github.com/google/uuid"
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

// namesOf returns the names of the records with the given IDs. id is the attribute with the ID.
func namesOf[ID interface {
	comparable
	~struct{ uuid.UUID }
}, T any](
	ctx context.Context, ids []ID, id query.Attr, list func(context.Context, query.Query) (query.Result[T], error), of func(T) (ID, string),
) (map[ID]string, error) {
	names := map[ID]string{}
	if len(ids) == 0 {
		return names, nil
	}
	found, err := list(ctx, query.Query{Where: query.HasAnyID(id, ids), Page: query.AllRows(), WithoutProperties: true})
	for _, record := range found.Items {
		key, name := of(record)
		names[key] = name
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
	a := s.actor.PermitStaff()
	return namesOf(ctx, ids, person.Schema.Attr("uuid"), func(ctx context.Context, q query.Query) (query.Result[person.Summary], error) {
		return t.app.People.List(ctx, a, q)
	}, func(p person.Summary) (person.ID, string) { return p.ID, p.FullName() })
}

func (t *Teaching) courseNames(ctx context.Context, s Staff, ids []course.ID) (map[course.ID]string, error) {
	a := s.actor.PermitStaff()
	return namesOf(ctx, ids, course.Schema.Attr("uuid"), func(ctx context.Context, q query.Query) (query.Result[course.Summary], error) {
		return t.app.Courses.List(ctx, a, q)
	}, func(c course.Summary) (course.ID, string) { return c.ID, c.Name })
}

func (t *Teaching) quizNames(ctx context.Context, s Staff, ids []quiz.ID) (map[quiz.ID]string, error) {
	a := s.actor.PermitStaff()
	return namesOf(ctx, ids, quiz.Schema.Attr("uuid"), func(ctx context.Context, q query.Query) (query.Result[quiz.Summary], error) {
		return t.app.Quizzes.List(ctx, a, q)
	}, func(q quiz.Summary) (quiz.ID, string) { return q.ID, q.Name })
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
	a := s.actor.PermitStaff()
	titles, err := namesOf(ctx, each(rows, func(r submission.Summary) assignment.ID { return r.Assignment }), assignment.Schema.Attr("uuid"),
		func(ctx context.Context, q query.Query) (query.Result[assignment.State], error) {
			return t.app.Assignments.List(ctx, a, q)
		}, func(a assignment.State) (assignment.ID, string) { return a.ID, a.Title })
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
