package arch_test

import (
	"testing"

	"github.com/matryer/is"
)

// rules contains the rules of the source tree. The name of a rule is the statement that must be
// true. find returns the violations.
var rules = []struct {
	name string
	find func(tree) []string
}{
	{"a package imports only what the rules allow for its folder", imports},
	{"only module.go files and cmd import fx", wiring},
	{"the parts of the conformance suite share only fixture and lists", suiteImports},
	{"the domain reaches only the standard library, google/uuid and x/text", purity},
	{"the domain and the use cases get the time and ids from ports", calls},
	{"the domain does not use contexts, transport or storage", impurities},
	{"the domain and the use cases start no goroutines", goroutines},
	{"a dry run is rolled back", committedByDryRun},
	{"production code does not import test packages", testImports},
	{"every statement on a school's table has a school_id", withoutSchool},
	{"every table belongs to a school", tablesWithoutSchool},
	{"folders are in their place and have a meaningful name", folders},
	{"files are short enough", tooLong},
	{"folders contain few enough files", tooFull},
	{"every package has one package comment", undescribed},
}

func TestRules(t *testing.T) {
	tr := repository(t)
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			for _, bad := range rule.find(tr) {
				t.Error(bad)
			}
		})
	}
	for _, long := range nearlyTooLong(tr) {
		t.Log(long)
	}
}

// TestRulesSeeTheSource checks that the rules find the folders, statements and tables to which they
// apply. Otherwise they would pass without checking anything.
func TestRulesSeeTheSource(t *testing.T) {
	is := is.New(t)
	tr := repository(t)
	seen := map[string]bool{}
	for _, s := range tr.production() {
		for folder := range law {
			if s.in(folder) {
				seen[folder] = true
			}
		}
	}
	for _, folder := range []string{"domain", "domain/text", "ports", "app", "adapters/memory", "adapters/postgres", "adapters/httpapi", "cmd"} {
		is.True(seen[folder]) // the folder contains files
	}
	is.True(len(statements(tr)) > 0)
	is.True(len(tenantTables(tr)) > 0)
}
