package transfer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/transfer"
)

// smallSchool is a valid file with a line of each kind, without optional fields.
var smallSchool = []string{
	`{"kind":"school","format":1,"name":"Small"}`,
	`{"kind":"category","name":"Design"}`,
	`{"kind":"coupon","code":"TEN","currency_code":"EUR","start_on":"2026-01-01","format":"fixed","value":10,"maximum_usages":5}`,
	`{"kind":"person","email":"ada@example.test","first_name":"Ada"}`,
	`{"kind":"person","email":"bob@example.test"}`,
	`{"kind":"partnership","person":"BOB@example.test","role":"instructor"}`,
	`{"kind":"course","permalink":"drawing","name":"Drawing","categories":["design"],"instructors":[{"person":"bob@example.test","role":"instructor"}]}`,
	`{"kind":"quiz","name":"Shapes","questions":[{"text":"Round?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}]}`,
	`{"kind":"assignment","title":"Still life"}`,
	`{"kind":"activity","course":"drawing","title":"Read","type":"text"}`,
	`{"kind":"activity","course":"drawing","title":"Watch","type":"video","seconds":60}`,
	`{"kind":"activity","course":"drawing","title":"Test","type":"quiz","quiz":"Shapes"}`,
	`{"kind":"activity","course":"drawing","title":"Draw","type":"assignment","text":"Draw *this*.","assignment":"Still life"}`,
	`{"kind":"group","name":"Painters"}`,
	`{"kind":"group_course","group":"painters","course":"drawing"}`,
	`{"kind":"membership","group":"Painters","person":"ada@example.test","role":"member"}`,
	`{"kind":"enrollment","course":"drawing","person":"ada@example.test","role":"learner"}`,
	`{"kind":"attempt","course":"drawing","person":"ada@example.test","number":1,"completed":[{"activity":"Read","at":"2026-02-01T10:00:00Z"}]}`,
	`{"kind":"quiz_attempt","course":"drawing","person":"ada@example.test","attempt":1,"activity":"Test","number":1,"answers":[{"question":1,"response":"Yes","correct":true,"at":"2026-02-01T10:01:00Z"}]}`,
	`{"kind":"submission","course":"drawing","person":"ada@example.test","attempt":1,"activity":"Draw","name":"apple.txt","size":3}`,
	`{"kind":"part","data":"YWJj"}`,
	`{"kind":"event","type":"watched","person":"ada@example.test","course":"drawing","activity":"Watch","percentage_watched":0.5,"created_at":"2026-02-01T10:02:00+01:00"}`,
	`{"kind":"end"}`,
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// replaceLine returns smallSchool with line n (1-based) replaced with the given line.
func replaceLine(n int, line string) string {
	changed := append([]string(nil), smallSchool...)
	changed[n-1] = line
	return lines(changed...)
}

func TestSchoolFileWithoutOptionalFields(t *testing.T) {
	for name, h := range map[string]useCases{"memory": inMemory(), "postgres": onPostgres(t)} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			text := "\uFEFF" + strings.ReplaceAll(renamed(lines(smallSchool...), unique("Small")), "\n", "\r\n\r\n")
			made, err := h.Transfers.ImportNew(t.Context(), reading(text))
			is.NoErr(err)
			for _, k := range made.Kinds {
				is.Equal(k, transfer.ImportCount{Kind: k.Kind, Created: k.Created})
			}
			out := h.export(t, made.School.ID)
			is.True(strings.Contains(out, `"name":"apple.txt","media_type":"application/octet-stream","size":3`))
			is.True(strings.Contains(out, `{"kind":"part","data":"YWJj"}`))
			is.True(strings.Contains(out, `"completed":[{"activity":"Read","at":"2026-02-01T10:00:00.000Z"}]`))
			is.True(strings.Contains(out, `"percentage_watched":0.5,"created_at":"2026-02-01T09:02:00.000Z"`))
			is.Equal(differences(t, h, made.School.ID), 0)
		})
	}
}

// TestFaultsNameTheirLines checks that each fault names its line, and that an import with faults
// creates no school.
func TestFaultsNameTheirLines(t *testing.T) {
	tests := []struct {
		line int
		text string
		want string
	}{
		{1, `{"kind":"category","name":"X"}`, "line 1: category: kind: the first line must have the kind school"},
		{1, `{"kind":"school","format":2,"name":"X"}`, "line 1: school: format: unsupported version (this release supports 1)"},
		{2, `{"kind":"catgory","name":"Design"}`, `line 2: kind: unknown kind "catgory" (did you mean "category"?)`},
		{2, `{"name":"Design"}`, `line 2: kind: can't be blank`},
		{2, `{"kind":"category","nme":"Design"}`, `line 2: category: nme: unknown field (did you mean "name"?)`},
		{2, `{"kind":"category","Name":"Design"}`, `line 2: category: Name: unknown field (did you mean "name"?)`},
		{2, `{"kind":"category","name":7}`, `line 2: category: name: must be a string`},
		{4, `{"kind":"person","email":"ada@example.test","unsubscribed":"no"}`, `line 4: person: unsubscribed: must be true or false`},
		{8, `{"kind":"quiz","name":"Shapes","questions":"Round?"}`, `line 8: quiz: questions: must be an array`},
		{8, `{"kind":"quiz","name":"Shapes","questions":["Round?"]}`, `line 8: quiz: questions: must be an object`},
		{11, `{"kind":"activity","course":"drawing","title":"Watch","type":"video","seconds":1.5}`, `line 11: activity: seconds: must be a whole number (64-bit)`},
		{22, `{"kind":"event","type":"watched","person":"ada@example.test","course":"drawing","activity":"Watch","percentage_watched":true,"created_at":"2026-02-01T10:02:00Z"}`, `line 22: event: percentage_watched: must be a number`},
		{2, `{"kind":"category"}`, `line 2: category: name: can't be blank`},
		{2, `{"kind":"category","name":"Design","created_at":"yesterday"}`, `line 2: category: created_at: is not a valid timestamp, such as 2026-01-31T15:04:05.123Z`},
		{2, `{"kind":"category","name":"Design"`, `line 2: is not a JSON object: at byte 34: unexpected end of JSON input`},
		{2, "{\"kind\":\"category\",\"name\":\"\xff\"}", `line 2: is not valid UTF-8`},
		{2, `[]`, `line 2: is not a JSON object: it is a different JSON value`},
		{3, `{"kind":"coupon","code":"TEN","currency_code":"EURO","start_on":"1st","format":"gift","value":0}`, "line 3: coupon: start_on: is not a valid date, such as 2026-01-31\nline 3: coupon: format: must be one of: fixed, percentage\nline 3: coupon: value: must be greater than 0"},
		{4, `{"kind":"person","email":"ada"}`, `line 4: person: email: is not a valid email address`},
		{5, `{"kind":"person","email":"ADA@example.test"}`, `line 5: person: duplicates line 4`},
		{6, `{"kind":"partnership","person":"eve@example.test","role":"boss"}`, "line 6: partnership: person: no person matches \"eve@example.test\"\nline 6: partnership: role: must be one of: owner, manager, instructor"},
		{7, `{"kind":"course","permalink":"Drawing!","name":"Drawing","categories":["Music"]}`, "line 7: course: permalink: must consist of lowercase letters, digits and single hyphens\nline 7: course: categories[0]: no category matches \"Music\""},
		{8, `{"kind":"quiz","name":"Shapes","nth":3,"questions":[{"text":"Round?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}]}`, `line 8: quiz: nth: is 3, but there is no "Shapes" with nth 2`},
		{8, `{"kind":"quiz","name":"Shapes","questions":[]}`, `line 8: quiz: questions: must have between 1 and 500 elements`},
		{11, `{"kind":"activity","course":"drawing","title":"Watch","type":"video","seconds":1,"video_url":"http://media.example.test/a.mp4"}`, "line 11: activity: video_url: must be an absolute https URL"},
		{11, `{"kind":"activity","course":"drawing","title":"Watch","type":"text","video_url":"https://media.example.test/a.mp4","text":"\u0007"}`, "line 11: activity: video_url: is allowed only for the type video\nline 11: activity: text: contains a control character"},
		{11, `{"kind":"activity","course":"drawing","title":"Watch","type":"video","quiz":"Shapes"}`, "line 11: activity: quiz: is allowed only for the type quiz\nline 11: activity: seconds: must be between 1 and 86400"},
		{12, `{"kind":"activity","course":"drawing","title":"Test","type":"quiz","quiz":"Shape"}`, `line 12: activity: quiz: no quiz matches "Shape"`},
		{17, `{"kind":"enrollment","course":"singing","person":"ada@example.test","role":"learner"}`, `line 17: enrollment: course: no course matches "singing"`},
		{18, `{"kind":"attempt","course":"drawing","person":"ada@example.test","number":0}`, `line 18: attempt: number: must be between 1 and 2147483647`},
		{18, `{"kind":"attempt","course":"drawing","person":"ada@example.test","number":1,"completed":[{"activity":"Read","at":"2026-02-01T10:00:00Z"},{"activity":"Read","at":"2026-02-01T10:00:00Z"}]}`, `line 18: attempt: completed[1]: is listed more than once`},
		{19, `{"kind":"quiz_attempt","course":"drawing","person":"ada@example.test","attempt":2,"activity":"Test","number":1,"answers":[]}`, `line 19: quiz_attempt: attempt: no attempt 2 of "ada@example.test" exists in the course "drawing"`},
		{19, `{"kind":"quiz_attempt","course":"drawing","person":"ada@example.test","attempt":1,"activity":"Test","number":1,"answers":[{"question":2,"response":"Yes","at":"2026-02-01T10:01:00Z"}]}`, `line 19: quiz_attempt: answers[0].question: must be between 1 and 1, the number of questions in the quiz`},
		{20, `{"kind":"submission","course":"drawing","person":"ada@example.test","attempt":1,"activity":"Draw","name":"apple.txt","size":4}`, `line 20: submission: size: is 4, but 3 bytes of file data follow`},
		{20, `{"kind":"submission","course":"drawing","person":"eve@example.test","attempt":1,"activity":"Draw","name":"apple.txt","size":3}`, `line 20: submission: person: no person matches "eve@example.test"`},
		{20, `{"kind":"submission","course":"drawing","person":"ada@example.test","attempt":1,"activity":"Draw","name":"apple\u202etxt.exe","size":3}`, `line 20: submission: name: contains a character that changes the text direction`},
		{20, `{"kind":"category","name":"Music"}`, `line 21: part: must follow a submission record`},
		{22, `{"kind":"event","type":"watched","person":"ada@example.test","course":"drawing","activity":"Watch","percentage_watched":1e9,"created_at":"2026-02-01T10:02:00Z"}`, `line 22: event: percentage_watched: is not a valid number, such as 0.25`},
		{22, `{"kind":"event","type":"seen","person":"ada@example.test","course":"drawing","activity":"Watch","created_at":"2026-02-01T10:02:00Z"}`, `line 22: event: type: must be one of: viewed, watched`},
		{2, `{"kind":"category","name":"Design","id":"1","created_at":"now"}`, "line 2: category: created_at: is not a valid timestamp, such as 2026-01-31T15:04:05.123Z\nline 2: category: id: is not a valid UUID, such as 018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10"},
		{2, `{"kind":"api_key","name":"K","scope":"all","secret":"lyc_short"}`, "line 2: api_key: secret: is not a valid API key (wrong format or checksum)\nline 2: api_key: scope: must be one of: read, write, admin"},
		{6, `{"kind":"invitation","person":"eve@example.test","token":"` + token + `"}`, `line 6: invitation: person: no person matches "eve@example.test"`},
		{6, `{"kind":"invitation","person":"bob@example.test","token":"short","created_at":"2026-02-01T10:00:00Z","expires_at":"2026-02-01T10:00:00Z"}`, "line 6: invitation: token: must be 40 lowercase hexadecimal digits\nline 6: invitation: expires_at: must be after created_at"},
		{20, `{"kind":"submission","course":"drawing","person":"ada@example.test","attempt":1,"activity":"Draw","name":"apple.txt","text":"ab","size":3}`, `line 20: submission: size: is 3, but text has 2 bytes`},
		{20, `{"kind":"submission","course":"drawing","person":"ada@example.test","attempt":1,"activity":"Draw","name":"apple.txt","text":"abc"}`, `line 20: submission: size: is 3, but 6 bytes of file data follow`},
		{23, `{"kind":"end","lines":7}`, `line 23: end: lines: must be 22, the number of lines before the end record, not 7`},
		{23, ``, `line 23: the file is truncated: it does not end with the end record`},
		{23, `{"kind":"end"}` + "\n" + `{"kind":"category","name":"Music"}`, `line 24: category: must not follow the end record, which ends the file`},
	}
	h := inMemory()
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			is := is.New(t)
			_, err := h.Transfers.ImportNew(t.Context(), reading(replaceLine(test.line, test.text)))
			var faults transfer.ImportErrors
			is.True(errors.As(err, &faults))
			is.True(strings.HasPrefix(err.Error()+"\n", test.want+"\n")) // faults that follow from the first fault may come after it
			all, err := h.Provision.Schools(t.Context())
			is.NoErr(err)
			is.Equal(len(all), 0)
		})
	}
}

func TestImportReportsAtMostHundredFaults(t *testing.T) {
	is := is.New(t)
	text := smallSchool[0] + "\n" + strings.Repeat(`{"kind":"category"}`+"\n", 200)
	_, err := inMemory().Transfers.ImportNew(t.Context(), reading(text))
	details := strings.Split(err.Error(), "\n")
	is.Equal(len(details), 101)
	is.Equal(details[99], "line 101: category: name: can't be blank")
	is.Equal(details[100], "further errors are not shown")
}
