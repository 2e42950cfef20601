package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"lyceum/app"
)

// visitor is a person who is signed in to the pages of a school.
type visitor struct {
	School string // slug
	Cookie string
}

// signIn signs in the person with the given address to the school with the given slug.
func signIn(ctx context.Context, a *app.App, slug, email string) (v visitor, err error) {
	s, err := a.SignIns.School(ctx, slug)
	if err != nil {
		return v, err
	}
	token, err := a.SignIns.CreateLink(ctx, s.ID, email)
	if err != nil {
		return v, err
	}
	in, err := a.SignIns.UseLink(ctx, s, token, "fairness")
	return visitor{slug, "lyceum=" + in.Token}, err
}

// page requests a page and returns the status of the response, or 0 if there is none.
func (v visitor) page(ctx context.Context, c *http.Client, url string) int {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.ReplaceAll(url, "{school}", v.School), nil)
	if err != nil {
		return 0
	}
	r.Header.Set("Cookie", v.Cookie)
	return finish(c.Do(r))
}

const (
	owner         = "owner@example.test" // of the crowded school
	crowdedCourse = "74f485e8-124b-5706-888a-6b38d8657c00"
	crowdedQuiz   = "74f485e8-124b-5706-888a-6b38d8657c01"
	crowdedGroup  = "74f485e8-124b-5706-888a-6b38d8657c02"
)

// crowdedSchool returns the lines of a school whose pages are large: a course of 1,000 activities,
// a text of 60 KB and a quiz of 500 questions, with 5,000 learners.
func crowdedSchool() string {
	const people, activities, questions = 5_000, 1_000, 500
	var b strings.Builder
	line := func(format string, values ...any) { _, _ = fmt.Fprintf(&b, format+"\n", values...) }
	line(`{"kind":"person","email":%q,"first_name":"Olga","last_name":"Owner"}`, owner)
	line(`{"kind":"partnership","person":%q,"role":"owner"}`, owner)
	for i := range people {
		line(`{"kind":"person","email":"p%d@example.test","first_name":"Ann %d","last_name":"Lee"}`, i, i)
	}
	const choices = `{"text":"a","correct":true},{"text":"b"},{"text":"c"},{"text":"d"},{"text":"e"}`
	line(`{"kind":"quiz","id":%q,"name":"Large","questions":[%s]}`, crowdedQuiz,
		strings.TrimSuffix(strings.Repeat(`{"text":"Which?","choices":[`+choices+`]},`, questions), ","))
	line(`{"kind":"course","id":%q,"permalink":"large","name":"Large"}`, crowdedCourse)
	line(`{"kind":"activity","course":"large","title":"Text","type":"text","text":%q}`, strings.Repeat("- a *list* of `code`, **bold** [links](https://example.test)\n", 1_000))
	line(`{"kind":"activity","course":"large","title":"Quiz","type":"quiz","quiz":"Large"}`)
	for i := range activities {
		line(`{"kind":"activity","course":"large","title":"Activity %d","type":"text","text":"Short"}`, i)
	}
	line(`{"kind":"enrollment","course":"large","person":%q,"role":"learner"}`, owner)
	for i := range people {
		line(`{"kind":"enrollment","course":"large","person":"p%d@example.test","role":"learner"}`, i)
	}
	line(`{"kind":"group","id":%q,"name":"All"}`, crowdedGroup)
	return b.String()
}

// crowded is an attack of one school with requests and pages of all kinds.
var crowded = attack{"requests and pages of one school", 200, func(ctx context.Context, c *http.Client, w serverInfo) int {
	send := func(method, path, body string) int {
		return request(ctx, c, method, w.URL+path, w.Crowded, strings.NewReader(body))
	}
	page := func(path string) int { return w.Owner.page(ctx, c, w.URL+path) }
	switch rand.IntN(16) {
	case 0:
		return send(http.MethodGet, "/v1/analytics/courses?q=e+"+letter()+"&sort=-progress", "")
	case 1:
		return send(http.MethodGet, "/v2/people?limit=1000", "")
	case 2:
		return send(http.MethodGet, "/v2/courses/"+crowdedCourse+"/structure", "")
	case 3:
		return send(http.MethodGet, "/v2/export", "")
	case 4:
		return send(http.MethodGet, "/v2/people?limit=100&q="+letter(), "")
	case 5:
		return send(http.MethodPost, "/v2/bulk/people", `{"data":{"type":"people","attributes":{"people":[`+bulkRows(5_000)+`]}}}`)
	case 6:
		return send(http.MethodPut, "/v2/courses/"+crowdedCourse+"/structure", `{"data":{"attributes":{"activities":[`+strings.Repeat("{},", 1<<20/3)+`{}]}}}`)
	case 7:
		return send(http.MethodPost, "/v2/categories", fmt.Sprintf(`{"data":{"type":"categories","attributes":{"name":"c%d"}}}`, rand.Int64()))
	case 8:
		return send(http.MethodPatch, "/v2/courses/"+crowdedCourse, fmt.Sprintf(`{"data":{"type":"courses","id":%q,"attributes":{"name":"Large %d"}}}`, crowdedCourse, rand.Int64()))
	case 9:
		return page("/app/{school}/courses/" + crowdedCourse + "/builder")
	case 10:
		return page("/app/{school}/quizzes/" + crowdedQuiz + "/builder")
	case 11:
		return page("/app/{school}/people?q=" + letter())
	case 12:
		return page("/app/{school}")
	case 13:
		return page("/learn/{school}/courses/large")
	case 14:
		return page("/learn/{school}/courses/large/text")
	}
	return page("/learn/{school}/courses/large/quiz")
}}

// bulkRows returns n rows of new people.
func bulkRows(n int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"email":"p%d@example.test"}`, rand.Int64())
	}
	return strings.Join(rows, ",")
}
