package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

type scoreRow struct {
	ID       int64     `db:"id"`
	Course   uuid.UUID `db:"course_id"`
	Person   uuid.UUID `db:"person_id"`
	Quiz     uuid.UUID `db:"quiz_id"`
	Activity uuid.UUID `db:"activity_id"`
	Number   int       `db:"course_number"`
	Answered int       `db:"answered"`
	Correct  int       `db:"correct"`
	Total    int       `db:"total"`
	Last     time.Time `db:"last_answered_at"`
}

type scoreAttributes struct {
	Number    int     `json:"course_attempt_number"`
	Last      string  `json:"last_question_answered_at"`
	Percent   float64 `json:"percent_correct"`
	Progress  float64 `json:"progress"`
	Completed string  `json:"questions_completed"`
}

type scoreRelationships struct {
	Course   toOne `json:"course"`
	Person   toOne `json:"person"`
	Quiz     toOne `json:"quiz"`
	Activity toOne `json:"activity"`
}

type score = resource[scoreAttributes, scoreRelationships, none]

const fromScores = `
	SELECT id, course_id, person_id, quiz_id, activity_id, course_number, answered, correct, total, last_answered_at
	FROM quiz_scores WHERE school_id = $1`

func (b *bare) quizScores(ctx context.Context, on gin.IRoutes) error {
	newest := ` ORDER BY last_answered_at DESC, id LIMIT 26`
	return list[scoreRow, score]{
		path: "/v1/analytics/quiz_scores", first: fromScores + newest, any: fromScores + newest + ` OFFSET $2`,
		filters: map[string]string{"filter[course.id][eq]": fromScores + ` AND course_id = $2` + newest},
		show:    scoreOf,
	}.add(ctx, b, on)
}

func scoreOf(r scoreRow) score {
	return score{
		Type: "quiz_scores", ID: r.ID,
		Attributes: scoreAttributes{
			r.Number, instant(r.Last), percent(r.Correct, r.Answered), percent(r.Answered, r.Total),
			strconv.Itoa(r.Answered) + "/" + strconv.Itoa(r.Total),
		},
		Relationships: scoreRelationships{
			toOneOf("courses", r.Course), toOneOf("people", r.Person), toOneOf("quizzes", r.Quiz), toOneOf("activities", r.Activity),
		},
	}
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(float64(part)*10000/float64(whole)) / 100
}

type answerRow struct {
	Attempt  uuid.UUID `db:"quiz_attempt_id"`
	Question uuid.UUID `db:"question_id"`
	Person   uuid.UUID `db:"person_id"`
	Activity string    `db:"title"`
	Course   string    `db:"course"`
	Quiz     string    `db:"quiz"`
	Text     string    `db:"text"`
	Response string    `db:"response"`
	Correct  bool      `db:"correct"`
	Number   int       `db:"number"`
	Total    int       `db:"total"`
	Attempts int       `db:"course_number"`
	Answered time.Time `db:"answered_at"`
}

type answerAttributes struct {
	Activity string `json:"activity_title"`
	Attempts int    `json:"course_attempt_number"`
	Course   string `json:"course_name"`
	Answered string `json:"date_answered"`
	Correct  bool   `json:"marked_correct"`
	Number   string `json:"question_number"`
	Text     string `json:"question_text"`
	Quiz     string `json:"quiz_name"`
	Response string `json:"response"`
}

type answerRelationships struct {
	Person toOne `json:"person"`
}

type answer = resource[answerAttributes, answerRelationships, none]

// The rows of the page are selected before the joins; otherwise the planner would read whole
// tables.
const answersOfPage = `
	SELECT r.quiz_attempt_id, r.question_id, r.person_id, r.response, r.correct, r.number, r.total, r.course_number, r.answered_at,
		a.title, c.name AS course, z.name AS quiz, k.text
	FROM (
		SELECT * FROM quiz_answers WHERE school_id = $1 %s ORDER BY answered_at DESC, quiz_attempt_id, question_id LIMIT 26 %s
	) r
	JOIN activities a ON a.school_id = r.school_id AND a.id = r.activity_id
	JOIN courses c ON c.school_id = r.school_id AND c.id = r.course_id
	JOIN quizzes z ON z.school_id = r.school_id AND z.id = r.quiz_id
	JOIN quiz_questions k ON k.school_id = r.school_id AND k.quiz_id = r.quiz_id AND k.id = r.question_id
	ORDER BY r.answered_at DESC, r.quiz_attempt_id, r.question_id`

func (b *bare) rawAnswers(ctx context.Context, on gin.IRoutes) error {
	return list[answerRow, answer]{
		path: "/v1/analytics/quiz_raw_answers", first: fmt.Sprintf(answersOfPage, "", ""), any: fmt.Sprintf(answersOfPage, "", "OFFSET $2"),
		filters: map[string]string{"filter[course.id][eq]": fmt.Sprintf(answersOfPage, "AND course_id = $2", "")},
		show:    showAnswer,
	}.add(ctx, b, on)
}

func showAnswer(r answerRow) answer {
	return answer{
		Type: "quiz_raw_answers", ID: r.Attempt.String() + ":" + r.Question.String(),
		Attributes: answerAttributes{
			r.Activity, r.Attempts, r.Course, instant(r.Answered), r.Correct,
			strconv.Itoa(r.Number) + "/" + strconv.Itoa(r.Total), r.Text, r.Quiz, r.Response,
		},
		Relationships: answerRelationships{toOneOf("people", r.Person)},
	}
}
