package protocol

import (
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
	"lyceum/test/kit"
)

// BidiControls checks that every operation rejects a name with a bidirectional control character.
// Such a name can look like another name.
func BidiControls(t *testing.T, s *fixture.Server) {
	const turned, detail = "Ada\u202Eadibble", "contains a character that changes the text direction"
	const acceptance = "/invitations/" + records.InvitationToken
	everything := func(t *testing.T) string {
		t.Helper()
		var b strings.Builder
		if err := s.App.Transfers.Export(t.Context(), app.SystemActor(s.Own), &b, nil); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	before := everything(t)
	defer func() { is.New(t).Equal(everything(t), before) }() // the requests changed nothing

	named := `{"data":{"type":"TYPE","attributes":{"name":"` + turned + `"}}}`
	person := `{"data":{"type":"people","attributes":{"email":"new@example.test","first_name":"` + turned + `","last_name":"` + turned + `"}}}`
	edited := `{"data":{"attributes":{"first_name":"` + turned + `","last_name":"` + turned + `"}}}`
	const name, first, last = "/data/attributes/name", "/data/attributes/first_name", "/data/attributes/last_name"
	const activities = "/data/attributes/activities/"
	for _, tt := range []struct {
		request, body string
		want          []string // JSON pointers to the rejected attributes
	}{
		{"POST /v1/categories", strings.Replace(named, "TYPE", "categories", 1), []string{name}},
		{"PATCH /v2/categories/" + records.Design, named, []string{name}},
		{"POST /v1/groups", strings.Replace(named, "TYPE", "groups", 1), []string{name}},
		{"PATCH /v2/groups/" + records.Designers, named, []string{name}},
		{"POST /v2/courses", named, []string{name}},
		{"PATCH /v2/courses/drawing", named, []string{name}},
		{"POST /v2/api_keys", strings.Replace(named, `"name"`, `"scope":"read","name"`, 1), []string{name}},
		{"PATCH /v2/school", named, []string{name}},
		{"POST /v2/coupons", `{"data":{"attributes":{"code":"` + turned + `","currency_code":"EUR","start_on":"2025-12-01","format":"fixed","value":1,"maximum_usages":1}}}`, []string{"/data/attributes/code"}},
		{"PATCH /v2/coupons/" + records.TenOff, `{"data":{"attributes":{"code":"` + turned + `"}}}`, []string{"/data/attributes/code"}},
		{"POST /v1/learners", person, []string{first, last}},
		{"POST /v2/people", person, []string{first, last}},
		{"PATCH /v2/people/" + records.Ada, edited, []string{first, last}},
		{"POST /v2" + acceptance + "/acceptance", edited, []string{first, last}},
		{"PUT " + routes.StructurePath, `{"data":{"attributes":{"activities":[
			{"key":"a","title":"` + turned + `","kind":"text"},
			{"key":"b","title":"B","kind":"quiz","quiz":{"name":"` + turned + `","questions":[
				{"key":"q","text":"Which?","choices":[{"text":"` + turned + `","correct":true},{"text":"No"}]}]}},
			{"key":"c","title":"C","kind":"assignment","assignment":{"title":"` + turned + `"}}]}}}`, []string{
			activities + "0/title", activities + "1/quiz/name", activities + "1/quiz/questions/0/choices/0/text",
			activities + "2/assignment/title",
		}},
	} {
		t.Run(tt.request, func(t *testing.T) {
			is := is.New(t)
			method, path, _ := strings.Cut(tt.request, " ")
			want := []string{}
			for _, pointer := range tt.want {
				want = append(want, "422 "+pointer+" "+detail)
			}
			escaped := strings.ReplaceAll(tt.body, "\u202E", `\u202e`)
			for _, body := range []string{tt.body, escaped} {
				body = strings.Replace(body, `"type":"TYPE",`, "", 1)
				is.Equal(s.Send(t, method, path, body).Failures(t), want)
			}
		})
	}

	t.Run("rows of bulk requests", func(t *testing.T) {
		is := is.New(t)
		people := s.ApplyBulk(t, "people", `[{"email":"new@example.test","groups":["Designers","`+turned+`"]},{"email":"new`+turned+`@example.test"}]`)
		is.Equal(people.RowErrors(t), []string{
			"422 /data/attributes/people/0/groups/1 " + detail, "422 /data/attributes/people/1/email is not a valid email address",
		})
		groups := s.ApplyBulk(t, "groups", `[{"name":"`+turned+`","courses":"drawing"}]`)
		is.Equal(groups.RowErrors(t), []string{"422 /data/attributes/groups/0/name " + detail})
	})

	t.Run("the invitation page", func(t *testing.T) {
		is := is.New(t)
		form := url.Values{"first_name": {turned}, "last_name": {turned}}.Encode()
		a := s.Request("POST", acceptance).As("").Set("Accept", "text/html").With(form).
			Set("Content-Type", "application/x-www-form-urlencoded").Send(t)
		is.Equal(a.Status, 422)
		is.True(strings.Contains(a.Body, "<li>First name "+detail))
		is.True(strings.Contains(a.Body, "<li>Last name "+detail))
	})

	t.Run("the name of a submitted file", func(t *testing.T) {
		is := is.New(t)
		for _, file := range []string{turned + ".txt|a", "../folder/" + turned + "|a"} {
			is.Equal(s.SubmitForm(t, records.StillLife, "person", records.Ada, "file", file).Failures(t), []string{"422 file " + detail})
		}
	})

	t.Run("people as CSV", func(t *testing.T) {
		is := is.New(t)
		_, err := s.App.Transfers.ImportPeople(t.Context(), app.SystemActor(s.Own), kit.Reading(
			"email,first_name,last_name\nada@example.test,Ada,"+turned+"\nnew@example.test,"+turned+",New\n",
		), false)
		is.True(err != nil)
		is.Equal(err.Error(), "line 2: last_name: "+detail+"\nline 3: first_name: "+detail)
	})

	t.Run("lines of a school file", func(t *testing.T) {
		const school = `{"kind":"school","format":1,"name":"Elsewhere"}` + "\n"
		for _, tt := range []struct{ kind, line, member string }{
			{"school", "", "name"},
			{"category", `{"kind":"category","name":"` + turned + `"}`, "name"},
			{"coupon", `{"kind":"coupon","code":"` + turned + `","currency_code":"EUR","start_on":"2025-12-01","format":"fixed","value":1,"maximum_usages":1}`, "code"},
			{"person", `{"kind":"person","email":"new@example.test","first_name":"` + turned + `"}`, "first_name"},
			{"course", `{"kind":"course","permalink":"new","name":"` + turned + `"}`, "name"},
			{"quiz", `{"kind":"quiz","name":"` + turned + `","questions":[{"key":"q","text":"Which?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}]}`, "name"},
			{"assignment", `{"kind":"assignment","title":"` + turned + `"}`, "title"},
			{"activity", `{"kind":"activity","course":"drawing","key":"new","title":"` + turned + `","type":"text"}`, "title"},
			{"group", `{"kind":"group","name":"` + turned + `"}`, "name"},
		} {
			is := is.New(t)
			var err error
			want := "line 2: " + tt.kind + ": " + tt.member + ": " + detail
			if tt.line == "" {
				want = strings.Replace(want, "line 2", "line 1", 1)
				_, err = s.App.Transfers.ImportNew(t.Context(), kit.Reading(
					strings.Replace(school, "Elsewhere", turned, 1)+`{"kind":"end","lines":1}`+"\n"))
			} else {
				_, err = s.App.Transfers.Import(t.Context(), app.SystemActor(s.Own), kit.Reading(school+tt.line+"\n"+`{"kind":"end","lines":2}`+"\n"))
			}
			is.True(err != nil)
			is.Equal(err.Error(), want)
		}
	})
}
