package policies_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"lyceum/app/transfer"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/domain/policy"
	"lyceum/test/kit/stores"
)

// contenders is the number of concurrent requests. The rules let allowedCount of them succeed.
const (
	contenders   = 34
	allowedCount = 3
)

// atMost returns a rule that allows a decision while the count is less than n.
func atMost[T any](n int64, of func(T) int64) policy.Rules[T] {
	return policy.Rules[T]{{Needs: policy.Count, Check: func(d T) error {
		if of(d) >= n {
			return fault.Invalidf("id", "there are %d already", n)
		}
		return nil
	}}}
}

// atLeast returns a rule that allows a decision while the count is greater than n.
func atLeast[T any](n int64, of func(T) int64) policy.Rules[T] {
	return policy.Rules[T]{{Needs: policy.Count, Check: func(d T) error {
		if of(d) <= n {
			return fault.Invalidf("id", "there must be more than %d", n)
		}
		return nil
	}}}
}

// countingDecision is a decision with a rule that needs a count. Its ways are the kinds of requests
// that change this count.
type countingDecision struct {
	counts policy.Set
	decision
	begin int // result of taken before the requests
}

// TestCounting sends concurrent requests that cause the same decision, each about one person.
// Exactly allowedCount of them must succeed.
func TestCounting(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]countingDecision{
		"joining": {counts: policy.Set{Join: atMost(allowedCount, func(j policy.Joining) int64 { return j.Members })}, decision: decision{
			taken: joining.taken, ways: without(joining.ways, "managers are added to a group"),
		}},
		"enrolling": {counts: policy.Set{Enroll: atMost(allowedCount, func(e policy.Enrolling) int64 { return e.Learners })}, decision: decision{
			taken: enrolling.taken, ways: without(enrolling.ways, "managers are added to a course"),
		}},
		"creating": {counts: policy.Set{CreatePerson: atMost(contenders+allowedCount, func(c policy.CreatingPerson) int64 { return c.People })}, decision: decision{
			taken: creating.taken, ways: creating.ways,
		}, begin: contenders},
		"redeeming": {counts: policy.Set{Redeem: atMost(allowedCount, func(r policy.Redeeming) int64 { return r.Coupon.UsagesCount })}, decision: decision{
			taken: redeeming.taken, ways: redeeming.ways,
		}},
		"leaving": {counts: policy.Set{Leave: atLeast(contenders-allowedCount, func(l policy.Leaving) int64 { return l.Members })}, decision: decision{
			taken: leaving.taken, ways: without(leaving.ways, "managers are removed from a group"),
		}, begin: peopleCount - contenders},
		"unenrolling": {counts: policy.Set{Unenroll: atLeast(contenders-allowedCount, func(u policy.Unenrolling) int64 { return u.Learners })}, decision: decision{
			taken: unenrolling.taken, ways: unenrolling.ways,
		}, begin: peopleCount - contenders},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onTwoInstances(t, d.atOnce)
		})
	}
}

func without(ways []way, name string) []way {
	var rest []way
	for _, way := range ways {
		if way.name != name {
			rest = append(rest, way)
		}
	}
	return rest
}

// atOnce makes all contenders cause the decision concurrently, with each kind of request and on
// both instances.
func (d countingDecision) atOnce(t *testing.T, on [2]stores.Backend) {
	w := newWorld(t, on, contenders, d.counts)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	prepared := map[string]bool{}
	for _, way := range d.ways {
		if way.before != nil && !prepared[fmt.Sprintf("%p", way.before)] {
			prepared[fmt.Sprintf("%p", way.before)] = true
			way.before(w)
		}
	}
	start, errs := make(chan struct{}), make([]error, contenders)
	var wg sync.WaitGroup
	for i := range contenders {
		wg.Go(func() {
			<-start
			errs[i] = d.ways[i%len(d.ways)].take(w, w.apps[i%2], i)
			for fault.Is(errs[i], fault.Unavailable) && ctx.Err() == nil {
				errs[i] = d.ways[i%len(d.ways)].take(w, w.apps[i%2], i)
			}
		})
	}
	close(start)
	wg.Wait()
	for i, err := range errs {
		for _, text := range faultsOf(t, err) {
			if !strings.Contains(text, "already") && !strings.Contains(text, "there must be ") {
				t.Errorf("%s: %s", d.ways[i%len(d.ways)].name, text)
			}
		}
	}
	w.want(d.taken(w), d.begin+allowedCount)
}

// TestCountingInBulk checks that earlier rows of a request are counted too, and that a rejected row
// is not.
func TestCountingInBulk(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, 4, policy.Set{
			Join:         atMost(2, func(j policy.Joining) int64 { return j.Members }),
			CreatePerson: atMost(6, func(c policy.CreatingPerson) int64 { return c.People }),
			Enroll:       atMost(1, func(e policy.Enrolling) int64 { return e.Learners }),
		})
		must(t, w.apps[0].Memberships.Join(t.Context(), w.actor, w.people[0], rolesIn(w, "Figures", membership.Member)))
		got := faultsOf(t, w.bulkNamed(w.apps[0],
			bulkRow{20, []string{"New", "Figures"}}, // the group's course is full, so the person is not created or added to New
			bulkRow{1, []string{"New"}},
			bulkRow{21, []string{"New"}},
			bulkRow{2, []string{"New"}}, // New is full
			bulkRow{22, nil},
			bulkRow{23, nil}, // the school is full
		))
		want := []string{
			"row 1: groups/1: there are 1 already",
			"row 4: groups/0: there are 2 already",
			"row 6: id: there are 6 already",
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %q, want %q", got, want)
		}
		w.want(w.count("New"), 2)
		w.want(w.countPeople(), 6)
	})
}

// TestRestoring checks that an import with SkipPolicies does not apply rules.
func TestRestoring(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, peopleCount, joining.rules(refusal).With(enrolling.rules(refusal)).With(creating.rules(refusal))) // newWorld imports people without rules
		w.want(w.count("Old"), peopleCount)
		im := linesImport(personLine(32),
			fmt.Sprintf(`{"kind": "membership", "group": "New", "person": %q, "role": "member"}`, email(32)),
			fmt.Sprintf(`{"kind": "enrollment", "course": "geometry", "person": %q, "role": "learner"}`, email(32)))
		_, err := w.apps[0].Transfers.Import(t.Context(), w.actor, im)
		if got := faultsOf(t, err); len(got) == 0 || got[0] != "line 2: person: id: "+detail {
			t.Errorf("refused are %q", got)
		}
		im.Policies = transfer.SkipPolicies
		_, err = w.apps[0].Transfers.Import(t.Context(), w.actor, im)
		must(t, err)
		w.want(w.count("New"), 1)
	})
}
