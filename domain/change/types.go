package change

import (
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
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// Types returns the types of the records in the change feed.
func Types() []string {
	return []string{
		activity.Type, analytics.CompletionType, assignment.Type, submission.Type, category.Type, redemption.Type, coupon.Type,
		course.Type, enrollment.Type, group.Type, membership.Type, person.PartnershipType, person.Type, property.Type,
		analytics.QuizAttemptType, analytics.AnswerType, quiz.Type, school.Type,
	}
}
