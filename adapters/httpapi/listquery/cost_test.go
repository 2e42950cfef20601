package listquery

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/query"
)

func TestSearches(t *testing.T) {
	for query, want := range map[string]bool{
		"":                                   false,
		"page=3&limit=50":                    false,
		"q=":                                 false,
		"q=ada":                              true,
		"sort=name":                          true,
		"filter[uuid]=x":                     false,
		"filter[email]=a%40b.example":        true, // means filter[email][cont]
		"filter[email][]=a%40b.example":      true,
		"filter[permalink]=a":                true,
		"filter[email][eq]=a%40b.example":    false,
		"filter[permalink][in]=a":            false,
		"filter[email][in]=a,b":              false,
		"filter[person.id][eq]=x":            false,
		"filter[course.id]=x&filter[code]=y": true,
		"filter[course.id]=x&filter[name]=y": true,
		"filter[email][cont]=a":              true,
		"filter%5Bname%5D%5Bcont%5D=a":       true,
		"filter[progress][gt]=5":             true,
		"api_key=lyc_x&page=2":               false,

		"filter[properties.level][eq]=a":                  true, // all records may have the value
		"filter[properties.id][in]=a":                     true,
		"filter[properties.level][not_eq]=a":              true,
		"filter[properties.level][gt]=5":                  true,
		"filter[properties.a][eq]=x&filter[name]=y":       true,
		"filter[properties.a][eq]=x&sort=properties.a":    true,
		"filter[properties.a][eq]=x&filter[email][eq]=a":  true,
		"filter%5Bproperties.level%5D%5Beq%5D=a&limit=10": true,
	} {
		is := is.New(t)
		is.Equal(searches(respond.ParseQuery(query)), want) // whether the list searches
	}
}

// Records returns the limit that Parse accepts, or 0 if Parse refuses it.
func TestRecords(t *testing.T) {
	for _, limit := range []string{
		"", "0", "-5", "+5", "x", "1", "40", "1000", "1001", "0007", "2147483648", "9223372036854775807",
		"9223372036854775808", "99999999999999999999", "1e9",
	} {
		is := is.New(t)
		parameters := respond.ParseQuery("limit=" + limit)
		want := 0
		if asked, err := Parse(parameters, false); err == nil {
			want = asked.Page.Limit()
		}
		is.Equal(Records(parameters), want) // the limit or 0
	}
}

func TestSkipped(t *testing.T) {
	third := query.Cursor{}.Text(query.Scope{}, query.NewPage(3, 25))
	for parameters, want := range map[string]int64{
		"":                                 0,
		"limit=1000":                       0,
		"page=1&limit=1000":                0,
		"page=2":                           query.DefaultLimit,
		"page=5001&limit=1":                5000,
		"page=9223372036854775807":         1 << 53,
		"page=x":                           0,
		"page=3&cursor=" + third:           0,
		"filter[course_attempt.id]=x":      everyRow,
		"filter%5BRecord.ID%5D%5Beq%5D=x":  everyRow,
		"filter[record.type][eq]=coupons":  everyRow,
		"filter[categories.id][in]=x":      everyRow,
		"filter[partnerships.id]=x":        everyRow,
		"filter[quiz.id]=x&filter[uuid]=y": 0,
	} {
		is := is.New(t)
		is.Equal(Skipped(respond.ParseQuery(parameters)), want) // the rows before those of the page
	}
}

func TestIsNumbered(t *testing.T) {
	third := query.Cursor{}.Text(query.Scope{}, query.NewPage(3, 25))
	for parameters, want := range map[string]bool{
		"":                                 false,
		"limit=50":                         false,
		"page=1":                           false,
		"page=":                            false,
		"page=x":                           false,
		"page=2":                           true,
		"page=2&cursor=":                   true,
		"page=2&cursor=x":                  true,
		"cursor=" + third + "&page=3":      false,
		"page=03&limit=25&cursor=" + third: false,
		"page=2&cursor=" + third:           true, // the cursor of another page is ignored
		"page=3&limit=20&cursor=" + third:  true,
	} {
		is := is.New(t)
		is.Equal(isNumbered(respond.ParseQuery(parameters)), want) // whether the page is numbered
	}
}
