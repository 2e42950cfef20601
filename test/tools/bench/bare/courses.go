package main

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/lib/pq"
)

type courseRow struct {
	ID          uuid.UUID      `db:"id"`
	Name        string         `db:"name"`
	Permalink   string         `db:"permalink"`
	Token       string         `db:"enroll_token"`
	Enrollments int64          `db:"enrollments_count"`
	CreatedAt   time.Time      `db:"created_at"`
	UpdatedAt   time.Time      `db:"updated_at"`
	Categories  pq.StringArray `db:"categories"`
	Instructors pq.StringArray `db:"instructors"`
}

type courseAttributes struct {
	Name        string `json:"name"`
	Enrollments int64  `json:"enrollments_count"`
	EnrollLink  string `json:"course_enrollment_link"`
	ShareLink   string `json:"share_course_link"`
	Permalink   string `json:"permalink"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

type courseRelationships struct {
	Categories  toMany `json:"categories"`
	Instructors toMany `json:"instructor_partnerships"`
}

type courseLinks struct {
	Self     string `json:"self"`
	Teaching string `json:"teaching"`
	Build    link   `json:"build"`
}

type course = resource[courseAttributes, courseRelationships, courseLinks]

const (
	courseColumns = `c.id, c.name, c.permalink, c.enroll_token, c.created_at, c.updated_at, c.enrollments_count + (
			SELECT coalesce(sum(d.delta), 0) FROM course_count_deltas d WHERE d.school_id = c.school_id AND d.course_id = c.id
		) AS enrollments_count,
		ARRAY(SELECT k.category_id FROM course_categories k WHERE k.school_id = c.school_id AND k.course_id = c.id) AS categories,
		ARRAY(SELECT k.partnership_id FROM course_instructors k WHERE k.school_id = c.school_id AND k.course_id = c.id) AS instructors`
	fromCourses = `SELECT ` + courseColumns + ` FROM courses c WHERE c.school_id = $1 ORDER BY c.name_fold, c.id LIMIT 26`
)

func (b *bare) courses(ctx context.Context, on gin.IRoutes) error {
	return list[courseRow, course]{path: "/v1/courses", first: fromCourses, any: fromCourses + ` OFFSET $2`, show: b.course}.add(ctx, b, on)
}

func (b *bare) course(r courseRow) course {
	return course{
		Type: "courses", ID: r.ID,
		Attributes: courseAttributes{
			r.Name, r.Enrollments, b.base + "/c/" + r.Token, b.base + "/outline/" + r.Permalink + "/cover",
			r.Permalink, instant(r.CreatedAt), instant(r.UpdatedAt),
		},
		Relationships: courseRelationships{toManyOf("categories", r.Categories), toManyOf("instructor_partnerships", r.Instructors)},
		Links: courseLinks{
			b.base + "/v1/courses/" + r.Permalink, b.base + "/courses/" + r.Permalink,
			link{b.base + "/courses/" + r.Permalink + "/builder", []string{"get"}},
		},
	}
}

func toManyOf(kind string, ids []string) toMany {
	found := toMany{Data: make([]identifier, len(ids))}
	for i, id := range ids {
		found.Data[i] = identifier{kind, uuid.MustParse(id)}
	}
	return found
}
