// Package journey_test creates a school and uses it as its people would: with the program's
// commands, over HTTP, and with the emails that they receive. At the end it compares all analytics
// with values that it computes itself.
package journey_test

import (
	"testing"

	"lyceum/test/kit/mailtest"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// journey is a school with its current state.
type journey struct {
	client
	mail       *mailtest.Server
	people     []string // the first is an instructor, the others are learners
	learners   []string
	craft      string // id of the course with all kinds of activities
	dyes       string // id of the course that has only texts
	group      string
	courses    map[string]course
	courseOf   map[string]string // course of an activity
	learnersOf map[string]int    // number of learners of a course
	expected   *expected
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
				client: open(t, program, post), mail: post, expected: newExpected(),
				courses: map[string]course{}, courseOf: map[string]string{}, learnersOf: map[string]int{},
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
