package policies_test

import (
	"sync"
	"testing"
	"time"

	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/test/kit/stores"
)

// atOnce calls each function for each number from 0 to n-1, all concurrently and on both instances.
// It repeats a call while the error is Unavailable.
func atOnce(w *world, n int, each ...func(a *app.App, i int) error) {
	w.t.Helper()
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		for k, do := range each {
			wg.Go(func() {
				<-start
				err := do(w.apps[(i+k)%2], i)
				for fault.Is(err, fault.Unavailable) && w.t.Context().Err() == nil {
					err = do(w.apps[(i+k)%2], i)
				}
				faultsOf(w.t, err) // fails the test if err is not a fault
			})
		}
	}
	close(start)
	wg.Wait()
}

// TestChangesOfCoursesCountLearners has rules that allow a change of a course only if it has no
// learners, and an enrollment only if the course is unchanged. Of the concurrent requests for a
// course, exactly one must succeed.
func TestChangesOfCoursesCountLearners(t *testing.T) {
	t.Parallel()
	rules := policy.Set{
		ChangeCourse: policy.Rules[policy.ChangingCourse]{{Needs: policy.Count, Check: func(c policy.ChangingCourse) error {
			if c.Learners > 0 {
				return refusal
			}
			return nil
		}}},
		Enroll: policy.Rules[policy.Enrolling]{{Check: func(e policy.Enrolling) error {
			if e.Course.Name == "Changed" {
				return refusal
			}
			return nil
		}}},
	}
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, peopleCount, policy.Set{})
		ownCourses(w)
		for _, a := range w.apps {
			a.SetPolicies(rules)
		}
		atOnce(w, peopleCount,
			func(a *app.App, i int) error {
				return a.Enrollments.Enroll(t.Context(), w.actor, w.people[i], courseRoles(w, permalink(i), enrollment.Learner))
			},
			func(a *app.App, i int) error {
				name := "Changed"
				_, err := a.Courses.Update(t.Context(), w.actor, w.course[permalink(i)], app.CourseChanges{Changes: course.Changes{Name: &name}})
				return err
			})
		for i := range peopleCount {
			c, err := w.apps[0].Courses.Get(t.Context(), w.actor, permalink(i))
			must(t, err)
			if changed, enrolled := c.Name == "Changed", c.EnrollmentsCount > 0; changed == enrolled {
				t.Errorf("%s: changed %t, enrolled %t", c.Permalink, changed, enrolled)
			}
		}
	})
}

// TestProgressIsLocked checks that no completion can change progress between the check of the rule
// and the end of the unenrollment: a concurrent completion waits for the lock on the person, and then
// fails because the person is no longer enrolled.
func TestProgressIsLocked(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		var w *world
		var once sync.Once
		completed := make(chan error, 1)
		complete := func(a *app.App, title string) error {
			_, _, err := a.Learning.CompleteActivity(t.Context(), w.actor, w.people[0], w.act[title])
			return err
		}
		w = newWorld(t, on, 1, policy.Set{Unenroll: policy.Rules[policy.Unenrolling]{{
			Needs: policy.Progress, Check: func(u policy.Unenrolling) error {
				once.Do(func() { go func() { completed <- complete(w.apps[1], "Watch") }() })
				select {
				case err := <-completed:
					completed <- err
				case <-time.After(300 * time.Millisecond): // the completion waits for this transaction
				}
				if u.Progress == 0 {
					return refusal
				}
				return nil
			},
		}}})
		w.want(w.countPeople(), 1) // opens the connections of the second instance
		must(t, complete(w.apps[0], "Read"))
		must(t, w.apps[0].Enrollments.RemovePeople(enrollment.Learner)(t.Context(), w.actor, w.course["algebra"], w.people))
		if got := faultsOf(t, <-completed); len(got) != 1 {
			t.Errorf("the completion is refused with %q", got)
		}
	})
}
