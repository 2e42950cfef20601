package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

var _ ports.Statistics = statisticsReader{}

type statisticsReader struct{ *session }

// The statements read each table once and group before they join, because a school can have millions
// of records in the weeks of the statistics. Each is about all courses of the school, or about the
// courses in $2.
const (
	ofAllCourses = `$2::uuid[] IS NULL`
	ofCourses    = `r.course_id = ANY ($2)`

	// notRemoved excludes courses that are being removed, of which there are usually none.
	notRemoved = ` AND r.course_id NOT IN (SELECT id FROM all_courses WHERE school_id = $1 AND removed_at IS NOT NULL)`
)

func weekStatistics(courses string) string {
	scope := courses + notRemoved
	return `
		WITH active AS (
			SELECT week, person_id, sum(completions) AS completions FROM (
				SELECT ` + weekOf("r.completed_at") + ` AS week, r.person_id, 1 AS completions FROM completions r
				WHERE r.school_id = $1 AND r.completed_at >= $3 AND ` + scope + `
				UNION ALL
				SELECT ` + weekOf("r.answered_at") + `, r.person_id, 0 FROM quiz_answers r
				WHERE r.school_id = $1 AND r.answered_at >= $3 AND ` + scope + `
			) records GROUP BY week, person_id
		),
		counted AS (
			SELECT week, count(*) AS active, 0 AS enrollments, sum(completions) AS completions FROM active GROUP BY week
			UNION ALL
			SELECT ` + weekOf("r.created_at") + `, 0, count(*), 0 FROM enrollments r
			WHERE r.school_id = $1 AND r.created_at >= $3 AND r.role = 'learner' AND ` + scope + ` GROUP BY 1
		)
		SELECT week, sum(active)::bigint AS active, sum(enrollments)::bigint AS enrollments, sum(completions)::bigint AS completions
		FROM counted GROUP BY week ORDER BY week`
}

// weekOf returns the expression of the week of a time. 2001-01-01 is a Monday.
func weekOf(column string) string {
	return `date_bin('7 days', ` + column + `, TIMESTAMPTZ '2001-01-01 00:00:00+00')`
}

const courseStatistics = `
	WITH busiest AS MATERIALIZED (
		SELECT c.id, c.name, c.name_fold, c.enrollments_count FROM courses c
		WHERE c.school_id = $1 AND ($2::uuid[] IS NULL OR c.id = ANY ($2))
		ORDER BY c.enrollments_count DESC, c.name_fold, c.id LIMIT $3
	),
	latest AS (
		SELECT DISTINCT ON (r.course_id, r.person_id) r.course_id, r.progress FROM course_analytics r
		LEFT JOIN course_attempts a ON a.school_id = r.school_id AND a.id = r.attempt_id
		WHERE r.school_id = $1 AND r.course_id IN (SELECT id FROM busiest)
		ORDER BY r.course_id, r.person_id, a.number DESC NULLS LAST
	)
	SELECT b.id, b.name, count(l.progress) FILTER (WHERE l.progress = 0) AS band0,
		count(*) FILTER (WHERE l.progress > 0 AND l.progress < 5000) AS band1,
		count(*) FILTER (WHERE l.progress >= 5000 AND l.progress < 10000) AS band2,
		count(*) FILTER (WHERE l.progress >= 10000) AS band3
	FROM busiest b LEFT JOIN latest l ON l.course_id = b.id
	GROUP BY b.id, b.name, b.name_fold, b.enrollments_count ORDER BY b.enrollments_count DESC, b.name_fold, b.id`

func questionStatistics(courses string) string {
	return `
		WITH counted AS (
			SELECT r.question_id, count(*) AS answers, count(*) FILTER (WHERE r.correct) AS correct FROM quiz_answers r
			WHERE r.school_id = $1 AND r.answered_at >= $3 AND ` + courses + notRemoved + `
			GROUP BY r.question_id HAVING count(*) >= $4
		)
		SELECT q.id, q.text, z.id AS quiz_id, z.name AS quiz_name, n.answers, n.correct FROM counted n
		JOIN quiz_questions q ON q.school_id = $1 AND q.id = n.question_id AND NOT q.archived
		JOIN quizzes z ON z.school_id = $1 AND z.id = q.quiz_id
		ORDER BY n.correct::numeric / n.answers, n.answers DESC, q.id LIMIT $5`
}

type weekRow struct {
	Week        time.Time `db:"week"`
	Active      int64     `db:"active"`
	Enrollments int64     `db:"enrollments"`
	Completions int64     `db:"completions"`
}

type courseStatisticsRow struct {
	ID    uuid.UUID `db:"id"`
	Name  string    `db:"name"`
	Band0 int64     `db:"band0"`
	Band1 int64     `db:"band1"`
	Band2 int64     `db:"band2"`
	Band3 int64     `db:"band3"`
}

type difficultyRow struct {
	ID       uuid.UUID `db:"id"`
	Text     string    `db:"text"`
	Quiz     uuid.UUID `db:"quiz_id"`
	QuizName string    `db:"quiz_name"`
	Answers  int64     `db:"answers"`
	Correct  int64     `db:"correct"`
}

// Of implements ports.Statistics.
func (r statisticsReader) Of(ctx context.Context, scope analytics.StatisticsScope) (found analytics.Statistics, err error) {
	var courses any
	which := ofAllCourses
	if scope.Courses != nil {
		courses, which = idArray(scope.Courses), ofCourses
	}
	err = r.consistent(ctx, func(c *session) error {
		found = analytics.Statistics{Courses: []analytics.CourseStatistics{}, Questions: []analytics.Difficulty{}}
		var weeks []weekRow
		var busiest []courseStatisticsRow
		var questions []difficultyRow
		if err := c.SelectRows(ctx, &weeks, weekStatistics(which), c.SchoolID, courses, scope.Since); err != nil {
			return err
		}
		if err := c.SelectRows(ctx, &busiest, courseStatistics, c.SchoolID, courses, scope.Limit); err != nil {
			return err
		}
		err := c.SelectRows(ctx, &questions, questionStatistics(which), c.SchoolID, courses, scope.Since, scope.MinAnswer, scope.Limit)
		for _, row := range weeks {
			found.Weeks = append(found.Weeks, analytics.Week{
				Start: row.Week.UTC(), Active: row.Active, Enrollments: row.Enrollments, Completions: row.Completions,
			})
		}
		for _, row := range busiest {
			found.Courses = append(found.Courses, analytics.CourseStatistics{
				Course: course.ID{UUID: row.ID}, Name: row.Name, Learners: [analytics.ProgressBands]int64{row.Band0, row.Band1, row.Band2, row.Band3},
			})
		}
		for _, row := range questions {
			found.Questions = append(found.Questions, analytics.Difficulty{
				Question: quiz.QuestionID{UUID: row.ID}, Text: row.Text, Quiz: quiz.ID{UUID: row.Quiz}, QuizName: row.QuizName,
				Answers: row.Answers, Correct: row.Correct,
			})
		}
		return err
	})
	return found, err
}
