package arch_test

import (
	"testing"

	"github.com/matryer/is"
)

// rules is everything that the source must obey, in the words of the failure.
var rules = []struct {
	name string
	find func(tree) []string
}{
	{"a package imports only what the import law allows its folder", imports},
	{"fx stands only in module.go files and in cmd", wiring},
	{"the domain reaches only the standard library, google/uuid and x/text", purity},
	{"the domain and the use cases are told the time and the ids", calls},
	{"the domain knows no context, no transport and no storage", impurities},
	{"nothing in the domain or the use cases runs beside its caller", goroutines},
	{"what a dry run writes is not kept", kept},
	{"nothing that is shipped imports what is there for tests", backdoors},
	{"every statement on a school's table names the school", schoolless},
	{"every table belongs to a school", unowned},
	{"folders have a place and a telling name", folders},
	{"files can be read at once", tooLong},
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
	for _, long := range rather(tr) {
		t.Log(long)
	}
}

// What the rules look at must be there, or they would hold of nothing.
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
		is.True(seen[folder]) // the folder has files
	}
	is.True(len(statements(tr)) > 0)   // statements are found
	is.True(len(tenantTables(tr)) > 0) // tables are found
}
