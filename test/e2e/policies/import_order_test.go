package policies_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"lyceum/app/transfer"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/test/kit"
	"lyceum/test/kit/stores"
)

// staffOnly refuses people without the property staff.
func staffOnly(p person.State) error {
	if !p.Properties.Boolean("staff") {
		return fault.Invalidf("", "%s is not staff", p.Email)
	}
	return nil
}

// blockedBy refuses people whose first name equals the school's property blocked.
func blockedBy(r policy.Request, p person.State) error {
	if p.FirstName != "" && p.FirstName == r.School.Properties.Text("blocked") {
		return fault.Invalidf("", "%s is blocked", p.FirstName)
	}
	return nil
}

// orderRules contains rules whose verdicts depend on properties and other attributes of the
// records. Only some of them declare that they need the school.
var orderRules = policy.Set{
	CreatePerson: policy.Rules[policy.CreatingPerson]{{Check: func(c policy.CreatingPerson) error { return blockedBy(c.Request, c.Person) }}},
	Join: policy.Rules[policy.Joining]{
		{Check: func(j policy.Joining) error { return staffOnly(j.Person) }},
		{Needs: policy.Count, Check: func(j policy.Joining) error {
			if limit := j.Group.Properties.Number("places"); limit != nil && big.NewRat(j.Members, 1).Cmp(limit) >= 0 {
				return fault.Invalidf("", "has %s places", limit.RatString())
			}
			return nil
		}},
	},
	Enroll: policy.Rules[policy.Enrolling]{{Needs: policy.School, Check: func(e policy.Enrolling) error {
		return fault.Join(staffOnly(e.Person), blockedBy(e.Request, e.Person))
	}}},
	Redeem: policy.Rules[policy.Redeeming]{
		{Check: func(r policy.Redeeming) error { return staffOnly(r.Person) }},
		{Check: func(r policy.Redeeming) error {
			if r.Coupon.Currency != "EUR" {
				return fault.Invalidf("", "is in %s", r.Coupon.Currency)
			}
			return nil
		}},
	},
}

const (
	isStaff    = `{"kind": "property", "resource": "people", "name": "staff", "type": "boolean"}`
	geometry   = `{"kind": "course", "permalink": "geometry", "name": "Geometry"}`
	staff      = `{"kind": "person", "email": "p0@example.test", "properties": {"staff": true}}`
	notStaff   = `{"kind": "person", "email": "p0@example.test", "properties": {"staff": false}}`
	fullGroup  = `{"kind": "group", "name": "New", "properties": {"places": 0}}`
	joinsNew   = `{"kind": "membership", "group": "New", "person": "p0@example.test", "role": "member"}`
	enrolls    = `{"kind": "enrollment", "course": "geometry", "person": "p0@example.test", "role": "learner"}`
	redeems    = `{"kind": "redemption", "coupon": "C0", "person": "p0@example.test", "created_at": "2026-01-01T00:00:00Z"}`
	inFrancs   = `{"kind": "coupon", "code": "C0", "currency_code": "CHF", "start_on": "2020-01-02", "format": "fixed", "value": 1, "maximum_usages": 100}`
	blocksEve  = `{"kind": "property", "resource": "school", "name": "blocked", "type": "text", "value": "Eve"}`
	blocksNone = `{"kind": "property", "resource": "school", "name": "blocked", "type": "text", "value": null}`
	addsEve    = `{"kind": "person", "email": "eve@example.test", "first_name": "Eve"}`
	addsAdam   = `{"kind": "person", "email": "adam@example.test", "first_name": "Adam"}`
	named0Eve  = `{"kind": "person", "email": "p0@example.test", "first_name": "Eve", "properties": {"staff": true}}`
)

// TestLinesAreJudgedInOrder checks that rules receive the records with the changes of the preceding
// lines of the file, whether or not a dry run precedes the import.
func TestLinesAreJudgedInOrder(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		lines []string
		want  string // expected refusals
	}{
		{"a known person becomes staff and joins", []string{staff, joinsNew}, ""},
		{"a known person becomes staff and enrolls", []string{staff, enrolls}, ""},
		{"a known person becomes staff and redeems", []string{staff, redeems}, ""},
		{"a known person is staff no longer", []string{notStaff, joinsNew}, "line 3: membership: p0@example.test is not staff"},
		{"a known person joins before becoming staff", []string{joinsNew, staff}, "line 2: membership: p0@example.test is not staff"},
		{"a known group gets no places", []string{staff, fullGroup, joinsNew}, "line 4: membership: has 0 places"},
		{"a known group gets no places too late", []string{staff, joinsNew, fullGroup}, ""},
		{"a known coupon changes", []string{staff, inFrancs, redeems}, "line 4: redemption: is in CHF"},
		{"the school blocks a new person", []string{blocksEve, addsEve}, "line 3: person: Eve is blocked"},
		{"the school blocks another person", []string{blocksEve, addsAdam}, ""},
		{"the school blocks no longer", []string{blocksNone, addsAdam}, ""},
		{"the school blocks too late", []string{addsEve, blocksEve}, ""},
		{"the school blocks a known person", []string{blocksEve, named0Eve, enrolls}, "line 4: enrollment: Eve is blocked"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
				for _, once := range []bool{false, true} { // whether the import has no dry run
					t.Run(fmt.Sprintf("once %t", once), func(t *testing.T) {
						w := newWorld(t, on, 1, orderRules)
						w.defineOrder()
						im := linesImport(tc.lines...)
						im.Once = once
						_, err := w.apps[0].Transfers.Import(t.Context(), w.actor, im)
						if got := strings.Join(faultsOf(t, err), "\n"); got != tc.want {
							t.Errorf("%q, want %q", got, tc.want)
						}
					})
				}
			})
		})
	}
}

// defineOrder defines the properties that orderRules read. The school blocks Adam.
func (w *world) defineOrder() {
	w.t.Helper()
	for _, d := range []property.Params{
		{Resource: property.People, Name: "staff", Kind: property.Boolean},
		{Resource: property.Groups, Name: "places", Kind: property.Number},
		{Resource: property.School, Name: "blocked", Kind: property.Text},
	} {
		_, err := w.apps[0].Properties.Create(w.t.Context(), w.actor, d)
		must(w.t, err)
	}
	w.importedUnasked(`{"kind": "property", "resource": "school", "name": "blocked", "type": "text", "value": "Adam"}`)
}

// TestNewSchoolIsJudgedInOrder checks, in the dry run and in the import, that rules receive the
// properties that a file for a new school sets.
func TestNewSchoolIsJudgedInOrder(t *testing.T) {
	t.Parallel()
	head := func(t *testing.T) string { return `{"kind": "school", "format": 1, "name": "New ` + t.Name() + `"}` }
	for _, tc := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"blocked", []string{blocksEve, addsEve}, "line 3: person: Eve is blocked"},
		{"blocked too late", []string{addsEve, blocksEve}, ""},
		{"another", []string{blocksEve, addsAdam}, ""},
		{"a blocked learner", []string{isStaff, named0Eve, blocksEve, geometry, enrolls}, "line 6: enrollment: Eve is blocked"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
				w := newWorld(t, on, 1, orderRules)
				im := kit.Reading(strings.Join(append(append([]string{head(t)}, tc.lines...), `{"kind": "end"}`), "\n"))
				im.Policies = transfer.AskPolicies
				im.DryRun = true
				for range 2 {
					_, err := w.apps[0].Transfers.ImportNew(t.Context(), im)
					if got := strings.Join(faultsOf(t, err), "\n"); got != tc.want {
						t.Errorf("dry run %t: %q, want %q", im.DryRun, got, tc.want)
					}
					im.DryRun = false
				}
			})
		})
	}
}

// TestRefusedRowsAreReportedTogether checks that a CSV import with faults of different kinds
// reports all of them, so that correcting one fault does not reveal another.
func TestRefusedRowsAreReportedTogether(t *testing.T) {
	t.Parallel()
	rules := policy.Set{
		CreatePerson: policy.Rules[policy.CreatingPerson]{{Check: func(c policy.CreatingPerson) error {
			if number(c.Person.Email) == 5 {
				return fault.Invalidf("email", "is not accepted")
			}
			return nil
		}}},
		Join: policy.Rules[policy.Joining]{{Needs: policy.Count, Check: func(j policy.Joining) error {
			if j.Group.Name == "New" && j.Members >= 2 {
				return fault.Invalidf("", "New is full")
			}
			return nil
		}}},
	}
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, 1, rules)
		_, err := w.apps[0].Transfers.ImportPeople(t.Context(), w.actor, csvImport(
			email(5)+",New", // refused, so it does not count as a member
			"no address,",
			email(0)+",New",
			email(6)+",\"New,Old\"",
			email(7)+",New",
			email(8)+",Unknown",
		), false)
		want := "line 2: email: is not accepted\nline 3: email: is not a valid email address\nline 6: groups: New is full\n" +
			"line 7: groups: no group is named \"Unknown\""
		if got := strings.Join(faultsOf(t, err), "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if w.count("New") != 0 || w.count("Old") != 1 || w.countPeople() != 1 {
			t.Errorf("members %d and %d, people %d", w.count("New"), w.count("Old"), w.countPeople())
		}
	})
}

// TestManyRowsWithoutPeople checks a CSV import whose first thousand rows, which are saved
// together, add no people, because a rule refuses the people or returns NoEffect.
func TestManyRowsWithoutPeople(t *testing.T) {
	t.Parallel()
	const many = 1000
	for _, tc := range []struct {
		name    string
		verdict error
		faults  int
		members int
	}{
		{"without effect", policy.NoEffect, 0, 2},
		{"refused", refusal, 101, 1}, // 100 faults, and a note that there are more
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
				w := newWorld(t, on, 1, policy.Set{
					CreatePerson: policy.Rules[policy.CreatingPerson]{{Check: func(c policy.CreatingPerson) error {
						if strings.HasPrefix(c.Person.Email, "q") {
							return tc.verdict
						}
						return nil
					}}},
					Enroll: policy.Rules[policy.Enrolling]{{Needs: policy.Count, Check: func(e policy.Enrolling) error {
						if e.Learners != 1 {
							return fault.Invalidf("", "the course has %d learners", e.Learners)
						}
						return nil
					}}},
				})
				rows := make([]string, many)
				for i := range rows {
					rows[i] = fmt.Sprintf("q%d@example.test,", i)
				}
				rows = append(rows, email(1)+",Old")
				_, err := w.apps[0].Transfers.ImportPeople(t.Context(), w.actor, csvImport(rows...), false)
				if got := faultsOf(t, err); len(got) != tc.faults {
					t.Errorf("%d faults: %q", len(got), got)
				}
				if w.count("Old") != tc.members {
					t.Errorf("%d members", w.count("Old"))
				}
			})
		})
	}
}
