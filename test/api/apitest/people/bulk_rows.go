package people

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// BulkRows checks the outcome of valid and invalid rows.
func BulkRows(t *testing.T, s *fixture.Server) {
	t.Run("people", func(t *testing.T) {
		is := is.New(t)
		a := s.ApplyBulk(t, "people", `[
			{"email":"ADA@example.test","groups":"singers & DANCERS"},
			{"email":"new@example.test"},
			{"email":"New@Example.Test","groups":["Designers","Singers & Dancers","designers"]},
			{"email":"null@example.test","groups":null},
			{"email":"blank@example.test","groups":" "},
			{"email":"none@example.test","groups":[],"name":"ignored"},
			{"email":"lost@example.test","groups":["Designers","Sculptors","Painters"]},
			{"email":"theirs@example.test","groups":"Theirs"},
			{"email":"lost@example.test","groups":{"name":"Designers"}},
			{"email":"lost@example.test","groups":["Designers",7,null]},
			{"email":["lost@example.test"],"groups":[""]},
			{"email":"\u0000@example.test"},
			{"email":"\ud800@example.test","groups":"\ud800"},
			{"groups":"Designers"},
			{"email":null},
			{"email":"Ada <ada@example.test>"},
			null, 7, "ada@example.test", [], {}
		]`)
		is.Equal(a.RowErrors(t), []string{
			"422 /data/attributes/people/6/groups/1 is not the name of a group",
			"422 /data/attributes/people/6/groups/2 is not the name of a group",
			"422 /data/attributes/people/7/groups is not the name of a group",
			"422 /data/attributes/people/8/groups must be a string or an array of strings",
			"422 /data/attributes/people/9/groups/1 must be a string",
			"422 /data/attributes/people/9/groups/2 must be a string",
			"422 /data/attributes/people/10/email must be a string",
			"422 /data/attributes/people/11/email contains a control character",
			"422 /data/attributes/people/12/email is not valid UTF-8",
			"422 /data/attributes/people/12/groups is not valid UTF-8",
			"422 /data/attributes/people/13/email can't be blank",
			"422 /data/attributes/people/14/email can't be blank",
			"422 /data/attributes/people/15/email is not a valid email address",
			"422 /data/attributes/people/16 must be an object",
			"422 /data/attributes/people/17 must be an object",
			"422 /data/attributes/people/18 must be an object",
			"422 /data/attributes/people/19 must be an object",
			"422 /data/attributes/people/20/email can't be blank",
		})
		done := a.Job(t)
		is.Equal(done, fixture.Job{
			Status: "completed", RowsTotal: 21, RowsDone: 21, RowsFailed: 15, CreatedAt: done.CreatedAt, CompletedAt: done.CompletedAt,
		})
		is.Equal(len(s.Get(t, "/v1/people?q=lost").Page(t).Data), 0) // a failed row saves nothing
		is.Equal(len(s.Get(t, "/v1/people?q=theirs").Page(t).Data), 0)

		made := s.Get(t, "/v1/people?q=new%40example").Page(t).Data
		is.Equal(len(made), 1)
		is.Equal(made[0].Attributes["email"], "new@example.test") // the first row with the address is used
		is.Equal(made[0].Attributes["group_count"], 2.0)
		is.Equal(made[0].Attributes["course_count"], 1.0) // through the group designers
		is.Equal(made[0].Attributes["registration_status"], "not_activated")
		old := s.Get(t, "/v1/people/"+records.Ada)
		is.True(strings.Contains(old.Body, `"full_name":"Ada Lovelace"`)) // existing people are not changed
		is.Equal(len(s.Get(t, "/v1/groups/"+records.Singers+"/memberships").Page(t).Data), 2)
		is.Equal(len(s.Get(t, "/v1/groups/"+records.Designers+"/memberships").Page(t).Data), 3)

		messages, err := s.Queue.List(t.Context(), invitation.Kind)
		is.NoErr(err)
		is.Equal(len(messages), 4) // one for each new person
	})

	t.Run("groups", func(t *testing.T) {
		is := is.New(t)
		a := s.ApplyBulk(t, "groups", `[
			{"name":" Painters ","courses":"`+records.Drawing+`"},
			{"name":"PAINTERS","courses":"`+strings.ToUpper(records.Singing)+`, `+records.Drawing+`"},
			{"name":"designers","courses":["singing","drawing","`+records.Singing+`"]},
			{"name":"Idle"},
			{"name":"Null","courses":null},
			{"name":"Commas","courses":" , drawing ,, "},
			{"name":"Lost","courses":"`+records.TheirCourse+`"},
			{"name":"Lost","courses":["drawing","`+records.Unknown+`, theirs","Drawing"]},
			{"name":"Lost","courses":7},
			{"name":"Lost","courses":[["drawing"]]},
			{"name":"","courses":"nothing"},
			{"name":"a\u0000b"},
			{"name":{}},
			"Lost"
		]`)
		is.Equal(a.RowErrors(t), []string{
			"422 /data/attributes/groups/6/courses is not the id or permalink of a course",
			"422 /data/attributes/groups/7/courses/2 is not the id or permalink of a course",
			"422 /data/attributes/groups/8/courses must be a string or an array of strings",
			"422 /data/attributes/groups/9/courses/0 must be a string",
			"422 /data/attributes/groups/10/name can't be blank",
			"422 /data/attributes/groups/11/name contains a control character",
			"422 /data/attributes/groups/12/name must be a string",
			"422 /data/attributes/groups/13 must be an object",
		})
		is.Equal(a.Job(t).RowsFailed, 8)
		is.Equal(a.Job(t).RowsDone, 14)
		names := []any{}
		for _, g := range s.Get(t, "/v1/groups").Page(t).Data {
			names = append(names, g.Attributes["name"])
		}
		is.Equal(names, []any{"Commas", "Designers", "Idle", "Null", "Painters", "Singers & Dancers"})
		// The group designers now also has the course singing. Ada was already enrolled in it. The
		// new members are enrolled now.
		p := s.Get(t, "/v1/people?q=new%40example").Page(t).Data[0]
		is.Equal(p.Attributes["course_count"], 2.0)
		a = s.ApplyBulk(t, "people", `[{"email":"last@example.test","groups":["painters","commas"]}]`)
		is.Equal(a.Job(t).RowsFailed, 0)
		is.Equal(s.Get(t, "/v1/people?q=last").Page(t).Data[0].Attributes["course_count"], 2.0)
	})
}
