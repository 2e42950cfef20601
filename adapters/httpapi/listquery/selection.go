package listquery

import (
	"slices"
	"strings"

	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/fault"
)

// maxPaths is the maximum number of paths in include, more than any document needs.
const maxPaths = 20

// Selection describes which attributes and relationships a document contains, and which related
// resources it includes.
type Selection struct {
	// Include contains the paths of relationships to include, without duplicates, each as its
	// segments. It is nil if the request lacks the parameter, and empty if the parameter is blank.
	Include [][]string
	Fields  []Fieldset
}

// Fieldset contains the names of the attributes and relationships to return for the resources of
// one type.
type Fieldset struct {
	Param string // the name of the parameter
	Type  string
	Names []string
}

// ParseSelection parses the parameters include and fields of a request for one record. It ignores
// other parameters.
func ParseSelection(pairs []respond.Parameter) (Selection, error) {
	var s Selection
	var errs []error
	once := map[string]string{}
	for _, p := range pairs {
		family := familyOf(p)
		if family != "include" && family != "fields" {
			continue
		}
		switch first, sent := once[p.Name]; {
		case p.Broken:
			errs = append(errs, fault.Malformedf(p.Name, "contains invalid percent-encoding"))
		case sent && first != p.Value:
			errs = append(errs, fault.Malformedf(p.Name, "is given more than once, with different values"))
		case family == "include" && p.Name != family:
			errs = append(errs, fault.Malformedf(p.Name, "is not supported"))
		default:
			errs = append(errs, s.add(p))
		}
		once[p.Name] = p.Value
	}
	return s, fault.Join(errs...)
}

// add adds the value of a parameter: include, or fields with a type in brackets.
func (s *Selection) add(p respond.Parameter) error {
	if p.Name == "include" {
		s.Include = [][]string{}
		for _, path := range list(p.Value) {
			s.Include = append(s.Include, strings.Split(path, "."))
		}
		if len(s.Include) > maxPaths {
			return fault.Malformedf(p.Name, "has too many paths (maximum is %d)", maxPaths)
		}
		return nil
	}
	types, ok := brackets(strings.TrimPrefix(p.Name, "fields"))
	if !ok || len(types) != 1 || types[0] == "" {
		return fault.Malformedf(p.Name, "is not a valid fieldset, such as fields[people]=name,email")
	}
	s.Fields = append(s.Fields, Fieldset{Param: p.Name, Type: types[0], Names: list(p.Value)})
	return nil
}

// list returns the elements of a comma-separated list without duplicates. It returns none for a
// blank list.
func list(value string) []string {
	var all []string
	for name := range strings.SplitSeq(value, ",") {
		if name != "" && !slices.Contains(all, name) && len(all) < maxNames {
			all = append(all, name)
		}
	}
	return all
}

// maxNames is the maximum number of elements that are read from a list, more than any resource has.
// The rest is ignored.
const maxNames = 100
