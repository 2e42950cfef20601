package lyceum

import (
	"context"
	"net/http"
)

// Courses manages the courses of the school. Each method that takes the ID of a course also accepts
// its permalink.
type Courses struct {
	Lister[Course]
	Getter[Course]
	Creator[NewCourse, Course]
	Updater[ChangedCourse, Course]
	Deleter // Delete fails with 409 if the course has learner data; see DeleteWithLearnerData
}

// DeleteWithLearnerData deletes the course and all learner data in it. The request can take up to
// 10 minutes.
func (c Courses) DeleteWithLearnerData(ctx context.Context, courseID string) error {
	return c.Lister.client.send(ctx, http.MethodDelete, c.Lister.at(courseID).url()+"?force=true", nil, nil)
}

// Activities returns the list of the activities of a course.
func (c Courses) Activities(courseID string) Lister[Activity] {
	return Lister[Activity]{c.Lister.at(courseID, "activities")}
}

// Enrollments returns the list of the learners and managers of a course.
func (c Courses) Enrollments(courseID string) Lister[Enrollment] {
	return Lister[Enrollment]{c.Lister.at(courseID, "enrollments")}
}

// Enroll makes people learners of the course.
func (c Courses) Enroll(ctx context.Context, courseID string, personIDs ...string) error {
	return refer(ctx, c.Lister.at(courseID, "relationships", "learners"), http.MethodPost, "people", personIDs)
}

// Structure returns all activities of a course in order, with their quizzes and assignments.
func (c Courses) Structure(ctx context.Context, courseID string) (Structure, error) {
	return fetch[Structure](ctx, c.Lister.at(courseID, "structure"), http.MethodGet, nil)
}

// ReplaceStructure replaces the activities of a course with the activities of the plan. Other
// activities with learner data are archived instead of deleted.
func (c Courses) ReplaceStructure(ctx context.Context, courseID string, plan StructurePlan) (RevisedStructure, error) {
	return fetch[RevisedStructure](ctx, c.Lister.at(courseID, "structure"), http.MethodPut, resource{Attributes: plan})
}

// BeginAttempt begins the next attempt of a person at the course.
func (c Courses) BeginAttempt(ctx context.Context, courseID, personID string, options ...RequestOption) (CourseAttempt, error) {
	return fetch[CourseAttempt](ctx, c.Lister.at(courseID, "attempts"), http.MethodPost, ofPerson(personID), options...)
}

// ofPerson returns a resource with a relationship to a person.
func ofPerson(id string) resource {
	return resource{Relationships: map[string]any{"person": toOne("people", id)}}
}
