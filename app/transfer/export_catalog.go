package transfer

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/text"
	"lyceum/ports"
)

func (e *exporter) exportCategories(ctx context.Context) error {
	return e.Categories(ctx, func(c category.State) error {
		e.categories[c.ID.UUID] = c.Name
		return e.write(format.Category{
			Kind: format.CategoryKind, Name: c.Name, CreatedAt: format.NewInstant(c.CreatedAt), UpdatedAt: format.NewInstant(c.UpdatedAt), ID: e.id(c.ID.UUID),
		})
	})
}

func (e *exporter) exportCoupons(ctx context.Context) error {
	return e.Coupons(ctx, func(c coupon.State) error {
		e.coupons[c.ID.UUID] = c.Code
		start, end, valueFormat := c.StartOn.Format(time.DateOnly), "", c.Format.String()
		if c.EndOn != nil {
			end = c.EndOn.Format(time.DateOnly)
		}
		return e.write(format.Coupon{
			Kind: format.CouponKind, Code: c.Code, Currency: &c.Currency, Enabled: &c.Enabled, StartOn: &start, EndOn: &end,
			Format: &valueFormat, Value: json.Number(c.Value.String()), UsagesCount: c.UsagesCount, MaximumUsages: &c.MaximumUsages,
			CreatedAt: format.NewInstant(c.CreatedAt), UpdatedAt: format.NewInstant(c.UpdatedAt), ID: e.id(c.ID.UUID),
		})
	})
}

func (e *exporter) exportPeople(ctx context.Context) error {
	return e.People(ctx, func(p person.State) error {
		avatar := ""
		if p.AvatarURL != nil {
			avatar = *p.AvatarURL
		}
		return e.write(format.Person{
			Kind: format.PersonKind, Email: p.Email, FirstName: &p.FirstName, LastName: &p.LastName, AvatarURL: &avatar,
			Unsubscribed: &p.Unsubscribed, ActivatedAt: format.OptionalInstant(p.ActivatedAt),
			Properties: propertiesJSON(p.Properties),
			CreatedAt:  format.NewInstant(p.CreatedAt), UpdatedAt: format.NewInstant(p.UpdatedAt), ID: e.id(p.ID.UUID),
		})
	})
}

func (e *exporter) exportPartnerships(ctx context.Context) error {
	return e.Partnerships(ctx, func(p ports.WithEmail[person.Partnership]) error {
		role := p.Record.Role.String()
		e.partners[p.Record.ID] = format.Partner{Person: p.Email, Role: role}
		return e.write(format.Partnership{
			Kind: format.PartnershipKind, Person: p.Email, Role: role, CreatedAt: format.NewInstant(p.Record.CreatedAt),
			ID: e.id(p.Record.ID.UUID),
		})
	})
}

func (e *exporter) exportCourses(ctx context.Context) error {
	return e.Courses(ctx, func(c course.State) error {
		e.courses[c.ID] = c.Permalink
		line := format.Course{
			Kind: format.CourseKind, Permalink: c.Permalink, Name: c.Name, EnrollToken: c.EnrollToken,
			Categories: []string{}, Instructors: []format.Partner{}, Properties: propertiesJSON(c.Properties),
			CreatedAt: format.NewInstant(c.CreatedAt), UpdatedAt: format.NewInstant(c.UpdatedAt), ID: e.id(c.ID.UUID),
		}
		for _, id := range c.Categories {
			line.Categories = append(line.Categories, e.categories[id.UUID])
		}
		for _, id := range c.Instructors {
			line.Instructors = append(line.Instructors, e.partners[id])
		}
		// Sorted by name, because an import generates different IDs.
		slices.SortFunc(line.Categories, func(a, b string) int { return strings.Compare(text.UniqueKey(a), text.UniqueKey(b)) })
		slices.SortFunc(line.Instructors, func(a, b format.Partner) int {
			return cmp.Or(strings.Compare(text.UniqueKey(a.Person), text.UniqueKey(b.Person)), strings.Compare(a.Role, b.Role))
		})
		return e.write(line)
	})
}

func (e *exporter) exportQuizzes(ctx context.Context) error {
	var names ordinals
	return e.Quizzes(ctx, func(q quiz.State) error {
		called := names.next("", q.Name)
		e.quizzes[q.ID.UUID] = called
		line := format.Quiz{
			Kind: format.QuizKind, Name: q.Name, Nth: called.nth,
			CreatedAt: format.NewInstant(q.CreatedAt), UpdatedAt: format.NewInstant(q.UpdatedAt), ID: e.id(q.ID.UUID),
		}
		numbers := make(map[quiz.QuestionID]int, len(q.Questions))
		for i, question := range slices.Concat(q.Questions, q.Archived) {
			numbers[question.ID] = i + 1
			written := format.Question{Key: question.Key, Text: question.Text, Archived: i >= len(q.Questions), ID: e.id(question.ID.UUID)}
			for _, c := range question.Choices {
				written.Choices = append(written.Choices, format.Choice{Text: c.Text, Correct: c.Correct})
			}
			line.Questions = append(line.Questions, written)
		}
		e.questions[q.ID] = numbers
		return e.write(line)
	})
}

func (e *exporter) exportAssignments(ctx context.Context) error {
	var titles ordinals
	return e.Assignments(ctx, func(a assignment.State) error {
		called := titles.next("", a.Title)
		e.assignments[a.ID.UUID] = called
		return e.write(format.Assignment{
			Kind: format.AssignmentKind, Title: a.Title, Nth: called.nth,
			CreatedAt: format.NewInstant(a.CreatedAt), UpdatedAt: format.NewInstant(a.UpdatedAt), ID: e.id(a.ID.UUID),
		})
	})
}

func (e *exporter) exportActivities(ctx context.Context) error {
	var titles ordinals
	return e.Activities(ctx, func(a activity.State) error {
		in := e.courses[a.Course]
		called := titles.next(in, a.Title)
		e.activities[a.ID] = activityName{in, called}
		about, paper := e.quizzes[a.Content.Quiz.UUID], e.assignments[a.Content.Assignment.UUID]
		var archived format.Instant
		if a.ArchivedAt != nil {
			archived = format.NewInstant(*a.ArchivedAt)
		}
		return e.write(format.Activity{
			Kind: format.ActivityKind, Course: in, Title: a.Title, Nth: called.nth, Type: a.Content.Kind.String(),
			Key: a.Key, Position: a.Position, ArchivedAt: archived,
			Seconds: int64(a.Content.Duration / time.Second), VideoURL: unlessBlank(a.Content.VideoURL), Text: unlessBlank(a.Content.Text),
			Quiz: about.name, QuizNth: about.nth,
			Assignment: paper.name, AssignmentNth: paper.nth,
			CreatedAt: format.NewInstant(a.CreatedAt), UpdatedAt: format.NewInstant(a.UpdatedAt), ID: e.id(a.ID.UUID),
		})
	})
}

// unlessBlank returns s as an optional field: nil if it is blank.
func unlessBlank(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (e *exporter) exportGroups(ctx context.Context) error {
	return e.Groups(ctx, func(g group.State) error {
		e.groups[g.ID.UUID] = g.Name
		return e.write(format.Group{
			Kind: format.GroupKind, Name: g.Name, EnrollToken: g.EnrollToken, Properties: propertiesJSON(g.Properties),
			CreatedAt: format.NewInstant(g.CreatedAt), UpdatedAt: format.NewInstant(g.UpdatedAt), ID: e.id(g.ID.UUID),
		})
	})
}

func (e *exporter) exportGroupCourses(ctx context.Context) error {
	return e.GroupCourses(ctx, func(h ports.GroupCourse) error {
		return e.write(format.GroupCourse{
			Kind: format.GroupCourseKind, Group: e.groups[h.Group.UUID], Course: e.courses[h.Course],
		})
	})
}
