package httpapi

import (
	"context"
	"maps"
	"slices"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/domain/text"
)

// relatedTypes maps each relationship that can be included to its resource type. It lacks course
// attempts, which cannot be read individually.
var relatedTypes = map[string]string{
	"activity": activity.Type, "activities": activity.Type, "assignment": assignment.Type, "categories": category.Type,
	"coupon": coupon.Type, "course": course.Type, "group": group.Type, "instructor_partnerships": instructorType,
	"partnerships": person.PartnershipType, "person": person.Type, "quiz": quiz.Type, "school": school.Type,
}

// newRelated describes how to read the resources of each type in relatedTypes and recordTypes.
func (s *server) newRelated() map[string]lists.Related {
	related := map[string]lists.Related{}
	for _, typ := range slices.Concat(slices.Collect(maps.Values(relatedTypes)), recordTypes) {
		related[typ] = s.relatedOf(typ)
	}
	return related
}

// relatedOf describes how to read resources of a type in relatedTypes or recordTypes. They have the
// attributes of the resource in a single document, not in a list.
func (s *server) relatedOf(typ string) lists.Related {
	switch typ {
	case activity.Type:
		return relatedBy(activity.Schema, s.app.Activities.ListAll, s.activity)
	case assignment.Type:
		return relatedBy(assignment.Schema, s.app.Assignments.List, s.assignment)
	case category.Type:
		return relatedBy(category.Schema, s.app.Categories.List, s.category)
	case coupon.Type:
		return relatedBy(coupon.Schema, s.app.Coupons.List, s.coupon)
	case course.Type:
		return relatedBy(course.Schema, s.app.Courses.List, s.course)
	case group.Type:
		return relatedBy(group.Schema, s.app.Groups.List, s.group)
	case person.PartnershipType:
		return relatedBy(person.PartnershipSchema, s.app.Partnerships.List, s.partnership)
	case instructorType:
		return relatedBy(person.PartnershipSchema, s.app.Partnerships.List, func(a app.Actor, p person.Partnership) jsonapi.Resource {
			r := s.partnership(a, p)
			r.Type = instructorType
			return r
		})
	case person.Type:
		if s.version == v1 {
			return relatedBy(person.Schema, s.app.People.List, s.person)
		}
		return relatedBy(person.Schema, s.app.People.List, s.fullPerson)
	case quiz.Type:
		return relatedBy(quiz.Schema, s.app.Quizzes.List, s.quiz)
	case redemption.Type:
		return relatedBy(redemption.Schema, s.app.Changes.Redemptions, s.redemption)
	case enrollment.Type:
		return relatedBy(enrollment.Schema, s.app.Changes.Enrollments, s.enrollment)
	case membership.Type:
		return relatedBy(membership.Schema, s.app.Changes.Memberships, s.membership)
	case submission.Type:
		return relatedBy(submission.Schema, s.app.Submissions.List, s.submission)
	case property.Type:
		return relatedBy(property.Schema, s.app.Properties.List, s.propertyDefinition)
	case analytics.CompletionType:
		return relatedBy(analytics.CompletionSchema, s.app.Analytics.Completions, completion)
	case analytics.QuizAttemptType:
		return relatedBy(analytics.QuizAttemptSchema, s.app.Analytics.QuizAttempts, quizAttempt)
	case analytics.AnswerType:
		return relatedBy(analytics.AnswerSchema, s.app.Analytics.Answers, rawAnswer)
	}
	return lists.Related{Sample: s.school(school.Summary{}), Load: s.loadSchool}
}

func (s *server) loadSchool(ctx context.Context, a app.Actor, _ []string) ([]jsonapi.Resource, error) {
	found, err := s.app.School.Get(ctx, a)
	return []jsonapi.Resource{s.school(found)}, err
}

// relatedBy returns a lists.Related that reads records with list.
func relatedBy[T any](
	schema query.Schema[T],
	list func(ctx context.Context, a app.Actor, q query.Query) (query.Result[T], error),
	toResource func(a app.Actor, record T) jsonapi.Resource,
) lists.Related {
	var sample T
	return lists.Related{
		Sample: toResource(app.Actor{}, sample),
		Load: func(ctx context.Context, a app.Actor, ids []string) ([]jsonapi.Resource, error) {
			values := make([]query.Value, len(ids))
			for i, id := range ids {
				uid, _ := text.UUID(id) // the zero UUID for composite IDs, which are compared as texts
				values[i] = query.Value{ID: uid, Text: id}
			}
			found, err := list(ctx, a, query.Query{
				Where: query.Cond{Attr: schema.Attr("uuid"), Op: query.Eq, Values: values}, Page: query.AllRows(),
			})
			resources := make([]jsonapi.Resource, len(found.Items))
			for i, record := range found.Items {
				resources[i] = toResource(a, record)
			}
			return resources, err
		},
	}
}
