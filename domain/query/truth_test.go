package query_test

import (
	"testing"

	"github.com/matryer/is"
)

func ptr[T any](v T) *T { return &v }

// Each case states whether the filter selects the row.
func TestTruth(t *testing.T) {
	acme := row{Name: "Café 100%", Email: ptr(`a_B\c`), FullName: "Straße", Ref: "aB:1", CourseCount: -3, Enabled: true}
	for _, tc := range []struct {
		filter string
		want   bool
	}{
		// eq and in compare the text itself.
		{"filter[name][eq]=Café 100%", true},
		{"filter[name][eq]=café 100%", false},
		{"filter[name][eq]=Cafe 100%", false},
		{"filter[name][eq]=Café", false},
		{"filter[name][not_eq]=café 100%", true},
		{"filter[name][not_eq]=Café 100%", false},
		{"filter[name][in][]=x&filter[name][in][]=Café 100%", true},
		{"filter[name][not_in][]=x&filter[name][not_in][]=Café 100%", false},
		{"filter[name][not_in][]=x&filter[name][not_in][]=y", true},

		// cont, start and end compare the fold.
		{"filter[name][cont]=CAFE", true},
		{"filter[name][cont]=é 1", true},
		{"filter[name][cont]=tea", false},
		{"filter[name][cont]=", true},
		{"filter[name][cont][]=tea&filter[name][cont][]=cafe", true},
		{"filter[name][not_cont]=tea", true},
		{"filter[name][not_cont]=CAFÉ", false},
		{"filter[name][not_cont][]=tea&filter[name][not_cont][]=cafe", false},
		{"filter[name][not_cont][]=tea&filter[name][not_cont][]=milk", true},
		{"filter[name][start]=cAfE", true},
		{"filter[name][start]=afe", false},
		{"filter[name][end]=100%", true},
		{"filter[name][end]=100", false},
		{"filter[full_name][cont]=STRASSE", true},
		{"filter[full_name][end]=SSE", true},

		// Characters that are wildcards in other languages have no special meaning.
		{"filter[name][cont]=c%1", false},
		{"filter[email][cont]=a_b", true},
		{"filter[email][cont]=a__", false},
		{`filter[email][cont]=B\C`, true},
		{`filter[email][cont]=\_`, false},

		// Text is ordered by its fold.
		{"filter[name][gt]=CAFD", true},
		{"filter[name][gt]=cafe 100%", false},
		{"filter[name][gteq]=CAFÉ 100%", true},
		{"filter[name][lteq]=CAFÉ 100%", true},
		{"filter[name][lt]=cafe 100%", false},
		{"filter[name][lt]=CAFF", true},

		// Composite ids are compared as a whole.
		{"filter[ref][eq]=aB:1", true},
		{"filter[ref][eq]=AB:1", false},
		{"filter[ref][not_in][]=aB:1&filter[ref][not_in][]=x", false},

		// Whole numbers.
		{"filter[course_count][eq]=-3", true},
		{"filter[course_count][eq]=-03", true},
		{"filter[course_count][in][]=1&filter[course_count][in][]=-3", true},
		{"filter[course_count][not_eq]=-3", false},
		{"filter[course_count][not_in][]=1&filter[course_count][not_in][]=2", true},
		{"filter[course_count][lt]=-2", true},
		{"filter[course_count][lt]=-3", false},
		{"filter[course_count][lteq]=-3", true},
		{"filter[course_count][gt]=-4", true},
		{"filter[course_count][gt]=-3", false},
		{"filter[course_count][gteq]=-3", true},

		// Booleans.
		{"filter[enabled]=TRUE", true},
		{"filter[enabled][eq]=0", false},
		{"filter[enabled][not_eq]=f", true},
		{"filter[enabled][in][]=t&filter[enabled][in][]=f", true},
		{"filter[enabled][eq]=t&filter[enabled][eq]=f", false},

		// Attributes that are never null.
		{"filter[course_count][null]=true", false},
		{"filter[course_count][null]=false", true},
		{"filter[name][null]=f", true},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			is := is.New(t)
			holds := rows.Compile(build(t, tc.filter).Where)
			is.Equal(holds(rows.Record(acme)), tc.want)
		})
	}
}

// A null attribute matches no predicate, not even a negated one.
func TestTruthOfNullText(t *testing.T) {
	empty := rows.Record(row{Name: "empty"})
	for _, predicate := range []string{
		"eq", "not_eq", "in", "not_in", "cont", "not_cont", "start", "end", "lt", "lteq", "gt", "gteq",
	} {
		for _, value := range []string{"", "x"} {
			t.Run(predicate+" "+value, func(t *testing.T) {
				is := is.New(t)
				holds := rows.Compile(build(t, "filter[email]["+predicate+"]="+value).Where)
				is.Equal(holds(empty), false)
			})
		}
	}
}

// A link is compared as clients see it: prefix, stored text and suffix together.
func TestTruthOfLinks(t *testing.T) {
	linked := rows.Record(row{Name: "Go-É"})
	for _, tc := range []struct {
		filter string
		want   bool
	}{
		{"filter[link][eq]=https://lms.test/c/Go-É/cover", true},
		{"filter[link][eq]=https://lms.test/c/go-É/cover", false},
		{"filter[link][eq]=Go-É", false},
		{"filter[link][eq]=https://lms.test/c/cover", false},
		{"filter[link][not_eq]=Go-É", true},
		{"filter[link][not_eq]=https://lms.test/c/Go-É/cover", false},
		{"filter[link][in][]=x&filter[link][in][]=https://lms.test/c/Go-É/cover", true},
		{"filter[link][not_in][]=x&filter[link][not_in][]=https://lms.test/c/Go-É/cover", false},
		{"filter[link][cont]=/C/go-e/C", true},
		{"filter[link][not_cont]=/C/go-e/C", false},
		{"filter[link]=cover", true},
		{"filter[link][start]=HTTPS://lms", true},
		{"filter[link][start]=go", false},
		{"filter[link][end]=E/Cover", true},
		{"filter[link][end]=go-e", false},
		{"filter[link][gt]=https://lms.test/c/go-d", true},
		{"filter[link][lt]=https://lms.test/c/go-d", false},
		{"filter[link][lteq]=https://lms.test/c/go-e/cover", true},
		{"filter[link][lt]=https://lms.test/c/go-e/cover", false},
		{"filter[link][null]=true", false},
	} {
		t.Run(tc.filter, func(t *testing.T) {
			is := is.New(t)
			is.Equal(rows.Compile(build(t, tc.filter).Where)(linked), tc.want)
		})
	}
}
