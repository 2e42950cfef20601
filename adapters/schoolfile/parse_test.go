package schoolfile_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/schoolfile"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

func TestEveryMemberIsTaken(t *testing.T) {
	is := is.New(t)
	file, err := schoolfile.Parse("f", []byte(`{
		"id": "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10", "name": "S", "authentication": "sso",
		"created_at": "2026-01-02T17:04:05.5+02:00",
		"keys": [{"name": "K", "secret": "lyc_x", "scope": "write"}],
		"categories": [{"id": "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d11", "name": "C", "created_at": "2026-01-03T00:00:00Z"}],
		"coupons": [{"id": "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d14", "code": "W", "currency_code": "EUR", "enabled": false,
			"start_on": "2026-02-01", "end_on": "2026-02-28", "format": "percentage", "value": 12.50, "usages_count": 3,
			"maximum_usages": 4, "created_at": "2026-01-06T00:00:00Z"}, {"code": "X"}],
		"people": [{"id": "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d12", "email": "a@example.test", "first_name": "A",
			"last_name": "B", "activated": true, "roles": ["owner", "instructor"], "created_at": "2026-01-04T00:00:00Z"}],
		"courses": [{"id": "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d13", "name": "N", "permalink": "n", "categories": ["C"],
			"instructors": ["a@example.test"], "enroll_token": "t", "created_at": "2026-01-05T00:00:00Z",
			"enrollments": [{"email": "a@example.test"}, {"email": "a@example.test", "role": "manager"}]}]
	}`))
	is.NoErr(err)
	is.Equal(len(file.Schools), 1)
	b := file.Schools[0]
	is.Equal(b.School.ID.String(), "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10")
	is.Equal(b.School.Name, "S")
	is.Equal(b.School.Auth, school.SSO)
	is.True(b.School.CreatedAt.Equal(time.Date(2026, 1, 2, 15, 4, 5, 500e6, time.UTC)))
	is.Equal(b.Keys, []app.KeyPlan{{Name: "K", Secret: "lyc_x", Scope: school.Write}})
	is.Equal(b.Categories[0].ID.String(), "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d11")
	is.Equal(b.Categories[0].Name, "C")
	is.Equal(b.Categories[0].CreatedAt.Day(), 3)
	is.Equal(b.Coupons[0].ID.String(), "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d14")
	is.Equal(b.Coupons[0].CreatedAt.Day(), 6)
	is.Equal(b.Coupons[0].Terms, coupon.Terms{
		Code: "W", Currency: "EUR", Disabled: true, StartOn: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		EndOn: time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC), Format: coupon.Percentage, Value: 125_000,
		UsagesCount: 3, MaximumUsages: 4,
	})
	is.Equal(b.Coupons[1].Terms, coupon.Terms{Code: "X"}) // what is missing is for the domain to say
	is.Equal(b.People[0].ID.String(), "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d12")
	is.Equal(b.People[0].Profile, person.Profile{Email: "a@example.test", FirstName: "A", LastName: "B"})
	is.True(b.People[0].Activated)
	is.Equal(b.People[0].Roles, []person.Role{person.Owner, person.Instructor})
	is.Equal(b.People[0].CreatedAt.Day(), 4)
	is.Equal(b.Courses[0].ID.String(), "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d13")
	is.Equal(b.Courses[0].Name, "N")
	is.Equal(b.Courses[0].Permalink, "n")
	is.Equal(b.Courses[0].Categories, []string{"C"})
	is.Equal(b.Courses[0].Instructors, []string{"a@example.test"})
	is.Equal(b.Courses[0].Token, "t")
	is.Equal(b.Courses[0].CreatedAt.Day(), 5)
	is.Equal(b.Courses[0].Places, []app.PlacePlan{
		{Email: "a@example.test", Role: enrollment.Learner}, {Email: "a@example.test", Role: enrollment.Manager},
	})
}

func TestAFileOfSeveralSchools(t *testing.T) {
	is := is.New(t)
	file, err := schoolfile.Parse("f", []byte(` [{"name": "One"}, {"name": "Two"}]`))
	is.NoErr(err)
	is.Equal(len(file.Schools), 2)
	is.Equal(file.Schools[1].School.Name, "Two")
}

// Each error names the file, the line and the part.
func TestWhatIsWrongWithAFile(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"f:1: is not JSON: unexpected end of JSON input"}},
		{"no JSON", "{\n\n  name: 1}", []string{"f:3: is not JSON: invalid character 'n' looking for beginning of object key string"}},
		{"something behind", "{}\n{}", []string{"f:2: is not JSON: invalid character '{' after top-level value"}},
		{"no school", "\n12", []string{"f:2: a school: is of the JSON type number, which is wrong here"}},
		{
			"a wrong type", "{\n\"people\": [\n{\"activated\": \"yes\"}]}",
			[]string{"f:3: people.activated: is of the JSON type string, which is wrong here"},
		},
		{
			"members that do not exist", "{\n\"nome\": \"x\",\n\"people\": [{\"email\": \"a\"}, {\n\"role\": {\"deep\": [1]}}],\n\"Name\": \"y\"}",
			[]string{
				"f:2: nome: is not a member of a school file", "f:4: people[1].role: is not a member of a school file",
				"f:5: Name: is not a member of a school file",
			},
		},
		{"a member twice", "{\"name\": \"x\",\n\"name\": \"y\"}", []string{"f:2: name: stands twice"}},
		{
			"texts without meaning",
			`{"id": "1", "authentication": "ldap",
			"created_at": "yesterday",
			"categories": [{"name": "C"},
			 {"id": "00000000-0000-0000-0000-000000000000"}],
			"people": [{"roles": ["owner",
			 "king"]}],
			"coupons": [{"start_on": "soon", "end_on": "2026-02-30",
			 "format": "half", "value": -1}],
			"courses": [{"enrollments": [
			 {"role": "guest"}]}]}`,
			[]string{
				"f:1: id: is not a UUID such as 018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10",
				"f:2: created_at: is not a time such as 2026-01-02T15:04:05Z",
				"f:1: authentication: is not one of preregistration, open, url, sso",
				"f:4: categories[1].id: is not a UUID such as 018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10",
				"f:7: coupons[0].start_on: is not a date such as 2026-01-31",
				"f:7: coupons[0].end_on: is not a date such as 2026-01-31",
				"f:8: coupons[0].format: is not one of fixed, percentage",
				"f:8: coupons[0].value: must be greater than 0",
				"f:6: people[0].roles[1]: is not one of owner, manager, instructor",
				"f:10: courses[0].enrollments[0].role: is not one of learner, manager",
			},
		},
		{
			"in the second school", "[{\"name\": \"x\"},\n{\"id\": 1}]",
			[]string{"f:2: id: is of the JSON type number, which is wrong here"},
		},
		{
			"a member of the second school", "[{\"name\": \"x\"},\n{\"people\": [\n{\"roles\": [\"x\"]}]}]",
			[]string{"f:3: [1].people[0].roles[0]: is not one of owner, manager, instructor"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := schoolfile.Parse("f", []byte(tt.text))
			is.True(err != nil)
			is.Equal(strings.Split(err.Error(), "\n"), tt.want)
		})
	}
}

// What the domain finds wrong is told in the file's words as well.
func TestWhatIsWrongWithASchool(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{
			"all at once", `{
			"keys": [
			 {"name": "K",
			  "secret": "lyc_no"}],
			"categories": [{"name": "C"}, {"name": "c"}],
			"coupons": [{"code": "A", "currency_code": "EUR", "format": "fixed", "value": 1, "start_on": "2026-01-01", "maximum_usages": 1},
			 {"code": "a", "currency_code": "EUR", "format": "fixed", "value": 1, "start_on": "2026-01-01", "maximum_usages": 1},
			 {"code": "B", "currency_code": "EUR", "format": "percentage", "value": 101, "start_on": "2026-01-02", "end_on": "2026-01-01",
			  "usages_count": 2, "maximum_usages": 1}],
			"people": [
			 {"email": "nobody"},
			 {"email": "a@example.test"}],
			"courses": [
			 {"name": "N",
			  "categories": ["D"],
			  "instructors": [
			    "a@example.test"],
			  "enroll_token": "0",
			  "enrollments": [
			    {"email": "b@example.test"}]},
			 {"name": "M", "enrollments": [
			    {"email": "b@example.test"}]}]
			}`,
			[]string{
				"f:1: name: can't be blank",
				"f:4: keys[0].secret: is not an API key of this service (its form or its checksum is wrong)",
				"f:5: categories[1].name: A record with the given name has already been taken",
				"f:7: coupons[1].code: A record with the given code has already been taken",
				"f:8: coupons[2].end_on: must not be before start_on, which is 2026-01-02",
				"f:8: coupons[2].value: must be at most 100, for it is a percentage",
				"f:9: coupons[2].usages_count: must be at most 1, the maximum of usages",
				"f:11: people[0].email: is not an e-mail address",
				"f:18: courses[0].enroll_token: is not 40 lower-case hex digits",
				"f:15: courses[0].categories[0]: there is no category \"D\"",
				"f:17: courses[0].instructors[0]: there is nobody \"a@example.test\" with a role",
				"f:20: courses[0].enrollments[0]: there is nobody \"b@example.test\"",
				`f:22: courses[1].enrollments[0]: there is nobody "b@example.test"`,
			},
		},
		{
			"in the second school", "[{\"name\": \"x\"},\n{\"categories\": [\n{}]}]",
			[]string{"f:2: [1].name: can't be blank", "f:3: [1].categories[0].name: can't be blank"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			file, err := schoolfile.Parse("f", []byte(tt.text))
			is.NoErr(err)
			last := len(file.Schools) - 1
			_, _, err = newApp().Provision.Load(t.Context(), file.Schools[last])
			err = file.Explain(last, err)
			is.True(err != nil)
			got := strings.Split(err.Error(), "\n")
			is.Equal(got, tt.want)
		})
	}
}

func TestExplainLeavesOtherErrorsAlone(t *testing.T) {
	is := is.New(t)
	file, err := schoolfile.Parse("f", []byte("{}"))
	is.NoErr(err)
	is.Equal(file.Explain(0, t.Context().Err()), nil)
	outage := errors.New("outage")
	is.Equal(file.Explain(0, outage), outage)
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "{}", "[{}]", "[]", "null", `{"name": "x", "people": [{"email": 1}]}`, `{"x": {"y": [[{}]]}}`, `[[]]`, `{"people": [null]}`,
		`{"people": null, "keys": {}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := schoolfile.Parse("f", data)
		if (file == nil) == (err == nil) {
			t.Fatal("either a file or an error")
		}
		if err != nil && !strings.HasPrefix(err.Error(), "f:") {
			t.Fatal("an error names its file", err)
		}
	})
}
