package postgres

import (
	"context"

	"lyceum/adapters/postgres/learnerlists"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/ports"
)

type courseAnalyticsReader struct {
	ports.Lister[analytics.CourseProgress]
	session *session
}

func newCourseAnalytics(c *session) courseAnalyticsReader {
	return courseAnalyticsReader{newLister(c, learnerlists.CourseAnalytics), c}
}

// LatestMany implements ports.CourseAnalytics.
func (r courseAnalyticsReader) LatestMany(
	ctx context.Context, pairs []enrollment.PersonCourse,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	return r.session.latestAttempts(ctx, pairs)
}

func (s *session) latestAttempts(
	ctx context.Context, pairs []enrollment.PersonCourse,
) (map[enrollment.PersonCourse]attempt.Attempt, error) {
	people, courses := pairColumns(pairs)
	key := func(a attempt.Attempt) enrollment.PersonCourse {
		return enrollment.PersonCourse{Person: a.State().Person, Course: a.State().Course}
	}
	return getMap(ctx, s, len(pairs), attemptRow.attempt, key, selectLatestAttempts, s.SchoolID, people, courses)
}
