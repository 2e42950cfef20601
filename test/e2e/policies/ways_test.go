package policies_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/test/kit/stores"
)

// way is a kind of request that causes a decision about people or coupons. The tests identify
// people and coupons by numbers.
type way struct {
	name string
	// take causes the decision about the numbers with one request, and returns the error of the
	// request.
	take func(w *world, a *app.App, numbers ...int) error
	// fault is the fault for a refused number. %d stands for the 1-based position of the number in
	// the request plus offset.
	fault  string
	offset int
	single bool // whether the request is about one number
	each   bool // whether each number is decided alone, so that a refused number does not affect other numbers
	// before prepares the school; nil: nothing to prepare.
	before func(w *world)
}

// decision is a decision of package policy, with the requests that cause it.
type decision struct {
	// rules returns rules that give the verdict to every third number.
	rules func(verdict error) policy.Set
	// taken returns a number that grows by one with each decision that takes effect.
	taken func(w *world) int
	ways  []way
}

// peopleCount is the number of people with which each way is tested. Every third person is refused.
const peopleCount = 9

// isRejected reports whether the rules refuse a number.
func isRejected(n int) bool { return n%3 == 2 }

// detail is the detail of the fault.
const detail = "is refused by a policy"

// refusal is the verdict that rejects a decision.
var refusal = fault.Invalidf("id", detail)

// everyThird returns a rule that gives the verdict to every third number.
func everyThird[T any](verdict error, of func(T) int) policy.Rules[T] {
	return policy.Rules[T]{{Check: func(d T) error {
		if isRejected(of(d)) {
			return verdict
		}
		return nil
	}}}
}

// number returns the number in a text such as p7@example.test, or -1 if it contains none.
func number(text string) int {
	digits, _, _ := strings.Cut(strings.TrimLeft(text, "pC"), "@")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}

// tryWay causes the decision about all numbers in one way. The rules refuse every third number.
func (d decision) tryWay(t *testing.T, on [2]stores.Backend, way way) {
	t.Helper()
	w := newWorld(t, on, peopleCount, d.rules(refusal))
	if way.before != nil {
		way.before(w)
	}
	before := d.taken(w)
	all := make([]int, peopleCount)
	for i := range all {
		all[i] = i
	}
	if way.single {
		got := make([]error, peopleCount)
		var wg sync.WaitGroup
		for i := range all {
			wg.Go(func() { got[i] = way.take(w, w.apps[i%2], i) })
		}
		wg.Wait()
		for i, err := range got {
			way.check(t, err, i)
		}
		w.want(d.taken(w)-before, peopleCount-peopleCount/3)
		return
	}
	way.check(t, way.take(w, w.apps[0], all...), all...)
	if !way.each {
		w.want(d.taken(w)-before, 0)
		way.check(t, way.take(w, w.apps[1], allowed(all)...))
	}
	w.want(d.taken(w)-before, peopleCount-peopleCount/3)
}

// tryWithoutEffect causes the decision about all numbers in one way. The rules accept every third
// number without effect.
func (d decision) tryWithoutEffect(t *testing.T, on [2]stores.Backend, way way) {
	t.Helper()
	w := newWorld(t, on, peopleCount, d.rules(policy.NoEffect))
	if way.before != nil {
		way.before(w)
	}
	before := d.taken(w)
	all := make([]int, peopleCount)
	for i := range all {
		if all[i] = i; way.single {
			way.accepted(t, way.take(w, w.apps[i%2], i))
		}
	}
	if !way.single {
		way.accepted(t, way.take(w, w.apps[0], all...))
	}
	w.want(d.taken(w)-before, peopleCount-peopleCount/3)
}

// accepted checks that err contains no fault.
func (way way) accepted(t *testing.T, err error) {
	t.Helper()
	if got := faultsOf(t, err); len(got) > 0 {
		t.Errorf("refused are %q", got)
	}
}

func allowed(numbers []int) []int { return slices.DeleteFunc(slices.Clone(numbers), isRejected) }

// check compares the faults of a request about the given numbers with the expected faults.
func (way way) check(t *testing.T, err error, numbers ...int) {
	t.Helper()
	var want []string
	for i, n := range numbers {
		if isRejected(n) {
			text := way.fault
			if strings.Contains(text, "%d") {
				text = fmt.Sprintf(text, i+1+way.offset)
			}
			want = append(want, text)
		}
	}
	if got := faultsOf(t, err); !slices.Equal(got, want) {
		t.Errorf("about %v: refused are\n%s\nwant\n%s", numbers, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// rowErrors contains the errors of a bulk job.
type rowErrors []bulk.RowError

// Error implements error.
func (e rowErrors) Error() string { return fmt.Sprint([]bulk.RowError(e)) }

// faultsOf returns the faults of err, each as one text.
func faultsOf(t *testing.T, err error) []string {
	t.Helper()
	var rows rowErrors
	var details []string
	switch {
	case err == nil:
	case errors.As(err, &rows):
		for _, r := range rows {
			details = append(details, fmt.Sprintf("row %d: %s: %s", r.Row+1, r.Field, r.Detail))
		}
	case errors.As(err, new(transfer.ImportErrors)):
		details = strings.Split(err.Error(), "\n")
	case fault.IsRefusal(err):
		for _, f := range fault.All(err) {
			details = append(details, f.Error())
		}
	default:
		t.Error(err)
	}
	return details
}

func (w *world) want(got, want int) {
	w.t.Helper()
	if got != want {
		w.t.Errorf("taken %d times, want %d", got, want)
	}
}

// tryAll tests all ways of a decision on each store.
func (d decision) tryAll(t *testing.T) {
	t.Helper()
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		for _, way := range d.ways {
			t.Run(way.name, func(t *testing.T) {
				t.Run("refused", func(t *testing.T) { d.tryWay(t, on, way) })
				t.Run("without effect", func(t *testing.T) { d.tryWithoutEffect(t, on, way) })
			})
		}
	})
}

// bulkRows sends a bulk request and applies it on the instance a.
func (w *world) bulkRows(a *app.App, kind bulk.Kind, rows []bulk.Row) error {
	j, err := a.Bulk.Accept(w.t.Context(), w.actor, kind, rows)
	if err != nil {
		return err
	}
	for {
		found, err := a.Bulk.ApplyNext(w.t.Context())
		if err != nil {
			return err
		}
		if j, err = a.Bulk.Get(w.t.Context(), w.actor, j.ID); err != nil {
			return err
		}
		if !found || j.RowsDone == j.RowsTotal {
			break
		}
	}
	if len(j.Errors) > 0 {
		return rowErrors(j.Errors)
	}
	return nil
}
