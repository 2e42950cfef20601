package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/text"
	"lyceum/ports"
)

// The columns of the tables that are loaded, in the order of their rows.
var (
	categoryCopy = []string{"school_id", "id", "name", "name_key", "name_fold", "created_at", "updated_at"}
	couponCopy   = []string{
		"school_id", "id", "code", "code_key", "code_fold", "currency_code", "enabled", "start_on", "end_on",
		"format", "value", "usages_count", "maximum_usages", "created_at", "updated_at",
	}
	personCopy      = personWritten.names()
	redemptionCopy  = []string{"school_id", "id", "coupon_id", "person_id", "created_at"}
	partnershipCopy = []string{"school_id", "id", "person_id", "role", "created_at"}
	courseCopy      = []string{
		"school_id", "id", "name", "name_fold", "permalink", "enroll_token", "created_at", "updated_at",
	}
	filedCopy      = []string{"school_id", "course_id", "category_id"}
	staffCopy      = []string{"school_id", "course_id", "partnership_id"}
	quizCopy       = []string{"school_id", "id", "name", "name_fold", "created_at", "updated_at"}
	questionCopy   = []string{"school_id", "quiz_id", "id", "key", "number", "text", "text_fold", "choices", "correct", "archived"}
	assignmentCopy = []string{"school_id", "id", "title", "title_fold", "created_at", "updated_at"}
	activityCopy   = []string{
		"school_id", "id", "course_id", "key", "position", "title", "title_fold", "kind", "quiz_id", "assignment_id",
		"seconds", "archived_at", "created_at", "updated_at",
	}
	groupCopy = []string{
		"school_id", "id", "name", "name_key", "name_fold", "enroll_token", "created_at", "updated_at",
	}
	heldCopy = []string{"school_id", "group_id", "course_id"}
)

// pair is two ids that belong together.
type pair struct{ one, other uuid.UUID }

func (l *loading) pair(p pair) []any { return []any{l.SchoolID, p.one, p.other} }

// catalogue copies categories, coupons, people with their roles, what they have
// redeemed, and courses.
func (l *loading) catalogue(ctx context.Context, b ports.Batch) error {
	err := copyRows(ctx, l, "categories", categoryCopy, b.Categories, func(c category.Category) []any {
		return categoryRepo{categoryReader{l.session}}.args(c.State())
	})
	if err == nil {
		err = copyRows(ctx, l, "coupons", couponCopy, b.Coupons, func(c coupon.Coupon) []any {
			return couponRepo{couponReader{l.session}}.args(c.State())
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "people", personCopy, b.People, func(p person.Person) []any {
			return personRepo{personReader{l.session}}.args(p.State())
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "partnerships", partnershipCopy, b.Partnerships, func(p person.Partnership) []any {
			return []any{l.SchoolID, p.ID.UUID, p.Person.UUID, p.Role.String(), p.CreatedAt}
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "redemptions", redemptionCopy, b.Redemptions, func(r redemption.Redemption) []any {
			return []any{l.SchoolID, r.ID.UUID, r.Coupon.UUID, r.Person.UUID, r.CreatedAt}
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "all_courses", courseCopy, b.Courses, func(c course.Course) []any {
			s := c.State()
			return []any{
				l.SchoolID, s.ID.UUID, s.Name, text.Fold(s.Name), s.Permalink, s.EnrollToken, s.CreatedAt, s.UpdatedAt,
			}
		})
	}
	var filed, staff []pair
	for _, c := range b.Courses {
		s := c.State()
		for _, id := range s.Categories {
			filed = append(filed, pair{s.ID.UUID, id.UUID})
		}
		for _, id := range s.Instructors {
			staff = append(staff, pair{s.ID.UUID, id.UUID})
		}
	}
	if err == nil {
		err = copyRows(ctx, l, "course_categories", filedCopy, filed, l.pair)
	}
	if err == nil {
		err = copyRows(ctx, l, "course_instructors", staffCopy, staff, l.pair)
	}
	return err
}

// questionOf is a question with its quiz and its number there, 0 of an archived
// one.
type questionOf struct {
	quiz   uuid.UUID
	number int
	quiz.Question
}

// taught copies quizzes with their questions, assignments and activities.
func (l *loading) taught(ctx context.Context, b ports.Batch) error {
	var questions []questionOf
	for _, q := range b.Quizzes {
		s := q.State()
		for i, question := range s.Questions {
			questions = append(questions, questionOf{s.ID.UUID, i + 1, question})
		}
		for _, question := range s.Archived {
			questions = append(questions, questionOf{s.ID.UUID, 0, question})
		}
	}
	err := copyRows(ctx, l, "quizzes", quizCopy, b.Quizzes, func(q quiz.Quiz) []any {
		s := q.State()
		return []any{l.SchoolID, s.ID.UUID, s.Name, text.Fold(s.Name), s.CreatedAt, s.UpdatedAt}
	})
	if err == nil {
		err = copyRows(ctx, l, "quiz_questions", questionCopy, questions, func(q questionOf) []any {
			words, marks := make([]string, len(q.Choices)), make([]bool, len(q.Choices))
			for i, c := range q.Choices {
				words[i], marks[i] = c.Text, c.Correct
			}
			return []any{l.SchoolID, q.quiz, q.ID.UUID, q.Key, q.number, q.Text, text.Fold(q.Text), pq.Array(words), pq.Array(marks), q.number == 0}
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "assignments", assignmentCopy, b.Assignments, func(a assignment.Assignment) []any {
			s := a.State()
			return []any{l.SchoolID, s.ID.UUID, s.Title, text.Fold(s.Title), s.CreatedAt, s.UpdatedAt}
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "activities", activityCopy, b.Activities, func(a activity.Activity) []any {
			return l.activityArgs(a.State())
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "groups", groupCopy, b.Groups, func(g group.Group) []any {
			return groupRepo{groupReader{l.session}}.args(g.State())
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "group_courses", heldCopy, b.GroupCourses, func(h ports.GroupCourse) []any {
			return l.pair(pair{h.Group.UUID, h.Course.UUID})
		})
	}
	return err
}
