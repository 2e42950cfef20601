package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"lyceum/app"
	"lyceum/test/kit"
)

const (
	membersOfGroup = 2_000
	coursesOfGroup = 50 // with membersOfGroup, as many enrollments as one request may add
)

// additionSchools adds two schools with a large group, and returns their keys.
func additionSchools(ctx context.Context, a *app.App) (keys [2]string, err error) {
	for i := range keys {
		_, keys[i], err = (kit.School{Name: fmt.Sprintf("Addition %d", i), Lines: additionSchool(i)}).Import(ctx, a)
		if err != nil {
			return keys, err
		}
	}
	return keys, nil
}

// additionSchool returns the lines of the school with the given number.
func additionSchool(n int) string {
	var b strings.Builder
	line := func(format string, values ...any) { _, _ = fmt.Fprintf(&b, format+"\n", values...) }
	for i := range coursesOfGroup {
		line(`{"kind":"course","id":%q,"permalink":"c%d","name":"Course %d"}`, courseOfGroup(n, i), i, i)
	}
	line(`{"kind":"group","id":%q,"name":"All"}`, groupOf(n))
	for i := range membersOfGroup {
		line(`{"kind":"person","email":"p%d@example.test","first_name":"Ann %d","last_name":"Lee"}`, i, i)
		line(`{"kind":"membership","group":"All","person":"p%d@example.test","role":"member"}`, i)
	}
	return b.String()
}

func groupOf(school int) string { return fmt.Sprintf("74f485e8-124b-5706-888a-6b38d8658c0%d", school) }

func courseOfGroup(school, n int) string {
	return fmt.Sprintf("74f485e8-124b-5706-888a-6b38%03d58%03d", school, n)
}

var addition atomic.Int64

// addCourses adds all courses to the group of one of the first n schools, or removes them.
func addCourses(n int64) func(context.Context, *http.Client, serverInfo) int {
	return func(ctx context.Context, c *http.Client, w serverInfo) int {
		i := addition.Add(1)
		school := int(i % n)
		ids := make([]string, coursesOfGroup)
		for i := range ids {
			ids[i] = fmt.Sprintf(`{"type":"courses","id":%q}`, courseOfGroup(school, i))
		}
		method := []string{http.MethodPost, http.MethodDelete}[i/n%2]
		body := strings.NewReader(`{"data":[` + strings.Join(ids, ",") + `]}`)
		return request(ctx, c, method, w.URL+"/v2/groups/"+groupOf(school)+"/relationships/courses", w.Additions[school], body)
	}
}
