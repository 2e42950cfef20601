// Package story_test plays a school from nothing, as its users would: by the
// program's commands, over HTTP, and by the letters that arrive. In the end it
// compares every figure with its own calculation.
package journey_test

import (
	"testing"

	"lyceum/test/kit/mailtest"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// journey is a school, as far as the story has come.
type journey struct {
	client
	mail     *mailtest.Server
	people   []string // the first teaches, the others learn
	learners []string
	craft    string // the course with everything
	dyes     string // the course with texts only
	group    string
	courses  map[string]course
	courseOf map[string]string // of an activity
	places   map[string]int    // how many learners a course has
	book     *expected
}

func TestSchoolFromNothing(t *testing.T) {
	program := build(t)
	for store, open := range map[string]func(*testing.T, string, *mailtest.Server) client{
		"memory": onMemory, "postgres": onPostgres,
	} {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			post := mailtest.Start(t, mailtest.Config{})
			s := &journey{
				client: open(t, program, post), mail: post, book: newBook(),
				courses: map[string]course{}, courseOf: map[string]string{}, places: map[string]int{},
			}
			for _, chapter := range []func(*testing.T){
				s.setUpSchool, s.invite, s.addCourses, s.addGroup, s.learn, s.analytics, s.submitFile, s.redeem, s.export, s.removePeople, s.analytics,
			} {
				if chapter(t); t.Failed() {
					return
				}
			}
		})
	}
}
