package faults

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"lyceum/test/kit"
)

// Names of the records that the school of every round contains before the clients start.
const (
	learn, reading, writing = "Learn", "Reading", "Writing" // courses
	evening                 = "Evening"                     // a group with the courses reading and writing
	plenty, scarce          = "PLENTY", "SCARCE"            // coupons
	text, video, quiz, work = "Text", "Video", "Quiz", "Work"
)

const (
	questions    = 3  // number of questions of the quiz
	scarceUsages = 10 // maximum usages of the coupon scarce
	clients      = 16
	stamp        = "2006-01-02T15:04:05.000Z" // layout of timestamps
)

// school is the school of one round.
type school struct {
	id, key          string
	began            time.Time
	courses          map[string]string // ids by name
	coupons          map[string]string // ids by code
	activities       map[string]string // ids by title
	evening          string            // id of the group
	eveningCourses   map[string]bool
	quiz, assignment string
	questions        []string
	history          History // history of the school's own records
}

const plan = `[{"key":"text","title":"Text","kind":"text"},{"key":"video","title":"Video","kind":"video","duration":60},
	{"key":"quiz","title":"Quiz","kind":"quiz","quiz":{"name":"Quiz","questions":[%s]}},
	{"key":"work","title":"Work","kind":"assignment","assignment":{"title":"Work"}}]`

// newSchool creates a school with the command line and the API.
func newSchool(ctx context.Context, w *world, name string, y *tally) (*school, error) {
	s := &school{
		began: time.Now().UTC(), courses: map[string]string{}, coupons: map[string]string{}, activities: map[string]string{},
		eveningCourses: map[string]bool{reading: true, writing: true},
	}
	var err error
	if s.id, err = w.command(ctx, "school", "create", "--name", name); err != nil {
		return nil, err
	}
	if s.key, err = w.command(ctx, "key", "create", "--school", s.id, "--name", "faults"); err != nil {
		return nil, err
	}
	c := newCaller(w.servers, s.key, w.rng(0), y)
	defer c.close()
	return s, s.addSharedRecords(ctx, c)
}

// addSharedRecords creates the records that all clients use.
func (s *school) addSharedRecords(ctx context.Context, c *caller) error {
	add := func(r request, kind, name string) (string, error) {
		t, ok := c.sendUntilCertain(ctx, r)
		if !ok || t.status != r.expected[0] {
			return "", fmt.Errorf("%s %s: %d %s", r.method, r.path, t.status, t.body)
		}
		if name != "" {
			s.history = append(s.history, Entry{Outcome: Acknowledged, Kind: "set up", Adds: []Row{{kind, "", name}}})
		}
		return idOf(t.body), nil
	}
	var err error
	const named = `{"data":{"type":%q,"attributes":{"name":%q}}}`
	for _, name := range []string{learn, reading, writing} {
		if s.courses[name], err = add(post(201, "/v2/courses", named, "courses", name), course, name); err != nil {
			return err
		}
	}
	for code, usages := range map[string]int{plenty: 1_000_000, scarce: scarceUsages} {
		if s.coupons[code], err = add(newCoupon(code, usages), coupon, code); err != nil {
			return err
		}
	}
	if s.evening, err = add(post(201, "/v2/groups", named, "groups", evening), team, evening); err != nil {
		return err
	}
	_, err = add(relate("/v2/groups/"+s.evening+"/relationships/courses", "courses", s.courses[reading], s.courses[writing]), "", "")
	if err != nil {
		return err
	}
	return s.structure(ctx, c)
}

// structure adds the activities of the course learn and stores their ids.
func (s *school) structure(ctx context.Context, c *caller) error {
	asked := ""
	for i := range questions {
		asked += fmt.Sprintf(`,{"key":"q%d","text":"Question %d?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}`, i, i)
	}
	t, ok := c.sendUntilCertain(ctx, request{
		method: http.MethodPut, path: "/v2/courses/" + s.courses[learn] + "/structure", expected: []int{200},
		body: fmt.Appendf(nil, `{"data":{"type":"course_structures","attributes":{"activities":`+plan+`}}}`, asked[1:]),
	})
	activities, err := kit.Activities(t.body)
	if err != nil || !ok || t.status != http.StatusOK {
		return fmt.Errorf("structure: %d %s: %w", t.status, t.body, err)
	}
	for _, a := range activities {
		s.activities[a.Title] = a.ID
		switch a.Title {
		case quiz:
			s.quiz = a.Quiz.ID
			for _, q := range a.Quiz.Questions {
				s.questions = append(s.questions, q.ID)
			}
		case work:
			s.assignment = a.Assignment.ID
		}
	}
	return nil
}
