package main

import (
	"context"
	"net/http"
	"time"

	"github.com/goccy/go-json"
)

// changeActivities adds an activity to a course with n enrollments, or removes it in the next turn.
// Both change the progress of all learners.
func changeActivities(ctx context.Context, s *server, n, turn int) (work, error) {
	in, err := s.courseSchool(ctx, n)
	if err != nil {
		return nil, err
	}
	return s.changeStructure(in, activities(initialActivities+1-turn%2))
}

// changeQuestions adds a question to a quiz with n quiz attempts, or archives it in the next turn.
// Both change the scores of all learners.
func changeQuestions(ctx context.Context, s *server, n, turn int) (work, error) {
	in, err := s.quizSchool(ctx, n)
	if err != nil {
		return nil, err
	}
	return s.changeStructure(in, []any{quizActivity(initialQuestions + 1 - turn%2)})
}

// changeStructure puts a new structure into the course of a school.
func (s *server) changeStructure(in *school, all []any) (work, error) {
	body, err := json.Marshal(object{"data": object{"attributes": object{"activities": all}}})
	return func(ctx context.Context) (outcome, error) {
		return outcome{}, s.send(ctx, in.key, http.MethodPut, "/v2/courses/"+permalink+"/structure", body, nil)
	}, err
}

// removeCourse removes a course with n enrollments and waits until all its records are deleted.
func removeCourse(ctx context.Context, s *server, n, _ int) (work, error) {
	in, err := s.courseSchool(ctx, n)
	return func(ctx context.Context) (outcome, error) {
		began := time.Now()
		if err := s.send(ctx, in.key, http.MethodDelete, "/v2/courses/"+permalink+"?force=true", nil, nil); err != nil {
			return outcome{}, err
		}
		response := time.Since(began)
		for exists := true; exists && ctx.Err() == nil; pause(ctx, 50*time.Millisecond) {
			// The row of the course is deleted last. The view courses omits it already.
			if err := s.db.GetContext(ctx, &exists, "SELECT EXISTS (SELECT FROM all_courses WHERE school_id = $1)", in.id); err != nil {
				return outcome{}, err
			}
		}
		return outcome{response: response}, ctx.Err()
	}, err
}
