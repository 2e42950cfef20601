package faults

import (
	"context"
	"fmt"
	"path"
	"strings"
)

// progress reads completions, answers and the progress derived from them.
func (f *finder) progress(ctx context.Context) {
	done := map[string]int{}
	for _, r := range f.all(ctx, "/v2/activity_completions") {
		f.found.Rows[Row{completed, f.email(r), f.school.title(r.of("activity"))}]++
		done[r.of("person")]++
	}
	for _, r := range f.all(ctx, "/v1/analytics/quiz_raw_answers") {
		f.found.Rows[Row{answer, f.email(r), r.attribute("question_number")}]++
	}
	for _, r := range f.all(ctx, "/v1/analytics/courses?filter[course.id][eq]="+f.school.courses[learn]) {
		f.counts(f.email(r), "progress", r, done[r.of("person")]*100/len(f.school.activities))
	}
}

// files reads each file. The content of a file is its name.
func (f *finder) files(ctx context.Context) {
	for _, r := range f.all(ctx, "/v2/submissions") {
		link, _, _ := strings.Cut(fmt.Sprint(r.Links["download"]), "?")
		name := path.Base(link)
		t, _ := f.sendUntilCertain(ctx, request{method: "GET", path: fmt.Sprint(r.Links["download"]), expected: []int{200}})
		if string(t.body) != name {
			name = fmt.Sprintf("%s with the content %.40q", name, t.body)
		}
		f.record(r, f.email(r), Row{file, f.email(r), name})
	}
}
