package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
)

// bulkRows checks the outcome of valid and invalid rows.
func bulkRows(t *testing.T, s *server) {
	t.Run("people", func(t *testing.T) {
		is := is.New(t)
		a := s.applyBulk(t, "people", `[
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
		is.Equal(a.rowErrors(t), []string{
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
		done := a.job(t)
		is.Equal(done, job{
			Status: "completed", RowsTotal: 21, RowsDone: 21, RowsFailed: 15, CreatedAt: done.CreatedAt, CompletedAt: done.CompletedAt,
		})
		is.Equal(len(s.get(t, "/v1/people?q=lost").page(t).Data), 0) // a failed row saves nothing
		is.Equal(len(s.get(t, "/v1/people?q=theirs").page(t).Data), 0)

		made := s.get(t, "/v1/people?q=new%40example").page(t).Data
		is.Equal(len(made), 1)
		is.Equal(made[0].Attributes["email"], "new@example.test") // the first row with the address is used
		is.Equal(made[0].Attributes["group_count"], 2.0)
		is.Equal(made[0].Attributes["course_count"], 1.0) // through the group designers
		is.Equal(made[0].Attributes["registration_status"], "not_activated")
		old := s.get(t, "/v1/people/"+ada)
		is.True(strings.Contains(old.body, `"full_name":"Ada Lovelace"`)) // existing people are not changed
		is.Equal(len(s.get(t, "/v1/groups/"+singers+"/memberships").page(t).Data), 2)
		is.Equal(len(s.get(t, "/v1/groups/"+designers+"/memberships").page(t).Data), 3)

		messages, err := s.queue.List(t.Context(), invitation.Kind)
		is.NoErr(err)
		is.Equal(len(messages), 4) // one for each new person
	})

	t.Run("groups", func(t *testing.T) {
		is := is.New(t)
		a := s.applyBulk(t, "groups", `[
			{"name":" Painters ","courses":"`+drawing+`"},
			{"name":"PAINTERS","courses":"`+strings.ToUpper(singing)+`, `+drawing+`"},
			{"name":"designers","courses":["singing","drawing","`+singing+`"]},
			{"name":"Idle"},
			{"name":"Null","courses":null},
			{"name":"Commas","courses":" , drawing ,, "},
			{"name":"Lost","courses":"`+theirCourse+`"},
			{"name":"Lost","courses":["drawing","`+unknown+`, theirs","Drawing"]},
			{"name":"Lost","courses":7},
			{"name":"Lost","courses":[["drawing"]]},
			{"name":"","courses":"nothing"},
			{"name":"a\u0000b"},
			{"name":{}},
			"Lost"
		]`)
		is.Equal(a.rowErrors(t), []string{
			"422 /data/attributes/groups/6/courses is not the id or permalink of a course",
			"422 /data/attributes/groups/7/courses/2 is not the id or permalink of a course",
			"422 /data/attributes/groups/8/courses must be a string or an array of strings",
			"422 /data/attributes/groups/9/courses/0 must be a string",
			"422 /data/attributes/groups/10/name can't be blank",
			"422 /data/attributes/groups/11/name contains a control character",
			"422 /data/attributes/groups/12/name must be a string",
			"422 /data/attributes/groups/13 must be an object",
		})
		is.Equal(a.job(t).RowsFailed, 8)
		is.Equal(a.job(t).RowsDone, 14)
		names := []any{}
		for _, g := range s.get(t, "/v1/groups").page(t).Data {
			names = append(names, g.Attributes["name"])
		}
		is.Equal(names, []any{"Commas", "Designers", "Idle", "Null", "Painters", "Singers & Dancers"})
		// The group designers now also has the course singing. Ada was already enrolled in it. The
		// new members are enrolled now.
		p := s.get(t, "/v1/people?q=new%40example").page(t).Data[0]
		is.Equal(p.Attributes["course_count"], 2.0)
		a = s.applyBulk(t, "people", `[{"email":"last@example.test","groups":["painters","commas"]}]`)
		is.Equal(a.job(t).RowsFailed, 0)
		is.Equal(s.get(t, "/v1/people?q=last").page(t).Data[0].Attributes["course_count"], 2.0)
	})
}
