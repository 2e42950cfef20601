package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/quiz"
)

// quizData is the data of a quiz on the page of its activity.
type quizData struct {
	Questions, Answered, Correct int
	Percent                      string
	Complete                     bool
	Open                         int // number of the question at which the learner continues
	Answers                      []answerData
}

// answerData is an answer in the result of a quiz. It does not show the correct choices.
type answerData struct {
	Question, Response string
	Correct            bool
}

// playedQuiz reads the quiz of an activity. A quiz can have so many choices that reading it occupies
// a processor for many milliseconds, so it waits like other large documents of the school.
func (x *siteRequest) playedQuiz(p app.PlayedActivity) (app.PlayedQuiz, error) {
	if err := x.site.cfg.Admission.AdmitWork(x.r.Context(), x.school.ID, Read); err != nil {
		return app.PlayedQuiz{}, err
	}
	return x.site.app.Player.Quiz(x.r.Context(), x.visitor.Actor, p)
}

func (x *siteRequest) newQuizData(p app.PlayedActivity) (*quizData, error) {
	q, err := x.playedQuiz(p)
	if err != nil {
		return nil, err
	}
	data := &quizData{Questions: len(q.Quiz.Questions), Complete: q.Complete(), Open: 1}
	if q.Attempt != nil {
		data.Answered, data.Correct, data.Percent = q.Attempt.Score.Answered, q.Attempt.Score.Correct, wholePercent(q.Attempt.Score.PercentCorrect())
	}
	if !data.Complete {
		data.Open = openQuestion(q, 0)
		return data, nil
	}
	for _, question := range q.Quiz.Questions {
		given := q.Answers[question.ID]
		data.Answers = append(data.Answers, answerData{question.Text, given.Response, given.Correct})
	}
	return data, nil
}

// openQuestion returns the number (1-based) of the first question without an answer that comes
// after the question with the given number, or else of the first question without an answer. If all
// questions are answered, it returns 1.
func openQuestion(q app.PlayedQuiz, after int) int {
	n := len(q.Quiz.Questions)
	for i := range n {
		at := (after + i) % n
		if _, answered := q.Answers[q.Quiz.Questions[at].ID]; !answered {
			return at + 1
		}
	}
	return 1
}

// questionData is the data of the page of a question.
type questionData struct {
	Activity      string // path of the activity
	Title         string // title of the activity
	Number, Total int
	ID            string
	Text          string
	Multiple      bool // whether several choices are correct
	Choices       []choiceData
	Previous      int // number of the previous question; 0: none
}

type choiceData struct {
	Number int // 1-based
	Text   string
	Chosen bool
}

// question returns the activity in the path, its quiz, and the number of the question in the path.
func (x *siteRequest) question() (p app.PlayedActivity, q app.PlayedQuiz, number int, err error) {
	if p, err = x.played(); err != nil {
		return p, q, 0, err
	}
	if q, err = x.playedQuiz(p); err != nil {
		return p, q, 0, err
	}
	number, err = strconv.Atoi(x.r.PathValue("number"))
	if err != nil || number < 1 || number > len(q.Quiz.Questions) {
		return p, q, 0, errNotFound
	}
	return p, q, number, nil
}

// questionPage shows a question with its choices. After a complete quiz attempt the answer begins
// another quiz attempt.
func questionPage(x *siteRequest) error {
	p, q, number, err := x.question()
	if err != nil {
		return err
	}
	return x.renderQuestion(http.StatusOK, p, q, number)
}

func (x *siteRequest) renderQuestion(status int, p app.PlayedActivity, q app.PlayedQuiz, number int, refused ...string) error {
	asked := q.Quiz.Questions[number-1]
	data := questionData{
		Activity: activityPath(p), Title: p.Activity.Title, Number: number, Total: len(q.Quiz.Questions), ID: asked.ID.String(),
		Text: asked.Text, Previous: number - 1,
	}
	var given []string
	if before, ok := q.Answers[asked.ID]; ok && !q.Complete() {
		given = strings.Split(before.Response, ", ")
		given = append(given, before.Response)
	}
	correct := 0
	for i, c := range asked.Choices {
		if c.Correct {
			correct++
		}
		data.Choices = append(data.Choices, choiceData{i + 1, c.Text, slices.Contains(given, c.Text)})
	}
	data.Multiple = correct > 1
	return x.render(status, "play-question", titled{p.Activity.Title, data}, refused...)
}

// answerQuestion saves the answer to a question, and redirects to the next question without an
// answer, or to the result.
func answerQuestion(x *siteRequest) error {
	p, q, number, err := x.question()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	asked := q.Quiz.Questions[number-1]
	if form.Get("question") != asked.ID.String() { // the quiz has changed since the page was shown
		return x.redirect(activityPath(p))
	}
	chosen := chosenTexts(asked, form["choice"])
	if len(chosen) == 0 {
		return x.renderQuestion(http.StatusUnprocessableEntity, p, q, number, x.texts.Player.ChooseAnswer)
	}
	_, err = x.site.app.Learning.SubmitAnswers(x.r.Context(), x.visitor.Actor, q.Quiz.ID, []learning.AnswerInput{
		{Person: x.visitor.Person.ID, Activity: &p.Activity.ID, Question: asked.ID, Chosen: chosen},
	})
	if refused, ok := problems(err); ok {
		return x.renderQuestion(http.StatusUnprocessableEntity, p, q, number, refused...)
	}
	if err != nil {
		return err
	}
	if p, q, _, err = x.question(); err != nil {
		return err
	}
	if q.Complete() {
		return x.redirect(activityPath(p))
	}
	return x.redirect(activityPath(p) + "/questions/" + strconv.Itoa(openQuestion(q, number)))
}

// chosenTexts returns the texts of the choices with the given 1-based numbers. It ignores invalid
// numbers.
func chosenTexts(asked quiz.Question, numbers []string) []string {
	var texts []string
	for _, n := range numbers {
		if i, err := strconv.Atoi(n); err == nil && i >= 1 && i <= len(asked.Choices) {
			texts = append(texts, asked.Choices[i-1].Text)
		}
	}
	return texts
}
