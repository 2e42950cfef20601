package submission_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/test/conformance/schematest"
	"pgregory.net/rapid"
)

var now = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)

func nth(n byte) uuid.UUID { return uuid.UUID{15: n} }

func handIn() submission.Submission {
	return submission.New(
		submission.ID{UUID: nth(1)},
		attempt.State{ID: attempt.ID{UUID: nth(5)}, Person: person.ID{UUID: nth(4)}, Course: course.ID{UUID: nth(3)}},
		activity.State{ID: activity.ID{UUID: nth(6)}, Content: activity.AssignmentContent(assignment.ID{UUID: nth(2)})},
		submission.File{Name: "a.pdf", MediaType: "application/pdf", Size: 9}, now,
	)
}

func TestNew(t *testing.T) {
	is.New(t).Equal(handIn(), submission.Submission{
		ID: submission.ID{UUID: nth(1)}, Assignment: assignment.ID{UUID: nth(2)}, Activity: activity.ID{UUID: nth(6)},
		Course: course.ID{UUID: nth(3)}, Person: person.ID{UUID: nth(4)}, CourseAttempt: attempt.ID{UUID: nth(5)},
		File: submission.File{Name: "a.pdf", MediaType: "application/pdf", Size: 9}, CreatedAt: now,
	})
}

func TestSchema(t *testing.T) {
	is := is.New(t)
	full := submission.Summary{
		Submission: handIn(), PersonName: "Ada King", PersonEmail: "ada@example.test", AssignmentTitle: "Essay", CourseName: "Greek",
	}
	schematest.Attributes(t, submission.Schema, full, map[string]string{
		"uuid":              nth(1).String(),
		"created_at":        "2026-01-31T15:04:05.123Z",
		"assignment.id":     nth(2).String(),
		"course.id":         nth(3).String(),
		"person.id":         nth(4).String(),
		"course_attempt.id": nth(5).String(),
	})
	schematest.Search(t, submission.Schema, full, []string{"ada", "king", "example.test", "essay", "greek", "greek king"}, []string{"pdf"})
	is.Equal(schematest.Order(submission.Schema), "-created_at")
}

func TestNewFile(t *testing.T) {
	for _, tc := range []struct {
		name, file, mediaType string
		want                  submission.File
	}{
		{"plain", "essay.pdf", "application/pdf", submission.File{Name: "essay.pdf", MediaType: "application/pdf"}},
		{"trimmed", " essay.pdf ", "text/plain", submission.File{Name: "essay.pdf", MediaType: "text/plain"}},
		{"kept as written", "É 日本.pdf", "text/plain", submission.File{Name: "É 日本.pdf", MediaType: "text/plain"}},
		{"a path", "/home/ada/essay.pdf", "text/plain", submission.File{Name: "essay.pdf", MediaType: "text/plain"}},
		{"a Windows path", `C:\Users\ada\essay.pdf`, "text/plain", submission.File{Name: "essay.pdf", MediaType: "text/plain"}},
		{"an attempt to break out", "../../etc/passwd", "text/plain", submission.File{Name: "passwd", MediaType: "text/plain"}},
		{"a folder", "essays/", "text/plain", submission.File{Name: "essays", MediaType: "text/plain"}},
		{"a media type with parameters", "x", "Text/HTML; charset=utf-8", submission.File{Name: "x", MediaType: "text/html"}},
		{"no media type", "x", "", submission.File{Name: "x", MediaType: "application/octet-stream"}},
		{"half a media type", "x", "text", submission.File{Name: "x", MediaType: "application/octet-stream"}},
		{"no media type at all", "x", "a\r\nb/c", submission.File{Name: "x", MediaType: "application/octet-stream"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			tc.want.Size = 12
			got, err := submission.NewFile(tc.file, tc.mediaType, 12)
			is.NoErr(err)
			is.Equal(got, tc.want)
		})
	}
}

func TestNewFileInvalid(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		size       int64
		field      string
	}{
		{"no name", "", 1, "name"},
		{"a blank name", " ", 1, "name"},
		{"the folder itself", ".", 1, "name"},
		{"the folder above", "..", 1, "name"},
		{"the folder above, at the end", "a/..", 1, "name"},
		{"the root", "/", 1, "name"},
		{"a control character", "a\x00b", 1, "name"},
		{"too long a name", strings.Repeat("x", 256), 1, "name"},
		{"a negative size", "x", -1, "size"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			_, err := submission.NewFile(tc.file, "text/plain", tc.size)
			is.Equal(len(fault.All(err)), 1)
			is.Equal(fault.All(err)[0].Field, tc.field)
		})
	}
}

func TestSafeName(t *testing.T) {
	for _, tc := range []struct{ name, want string }{
		{"essay.pdf", "essay.pdf"},
		{"Essay É.PDF", "essay-e.pdf"},
		{"Straße.txt", "strasse.txt"},
		{"a/b", "ab"},
		{"..hidden", "hidden"},
		{"日本.pdf", "pdf"},
		{"日本", "file"},
		{"--", "file"},
		{"a\u00a0b", "a-b"},
		{`q"u;o\te`, "quote"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is.New(t).Equal(submission.File{Name: tc.name}.SafeName(), tc.want)
		})
	}
}

func TestSafeNameIsSafe(t *testing.T) {
	safe := regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	rapid.Check(t, func(t *rapid.T) {
		f, err := submission.NewFile(rapid.String().Draw(t, "name"), "", 0)
		if err == nil && !safe.MatchString(f.SafeName()) {
			t.Fatalf("%q became %q", f.Name, f.SafeName())
		}
		if err == nil && strings.ContainsAny(f.Name, `/\`) {
			t.Fatalf("%q has a folder", f.Name)
		}
	})
}
