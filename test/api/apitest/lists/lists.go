package lists

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Pages checks that links of a list can be followed, and that pages that do not exist can be
// requested.
func Pages(t *testing.T, s *fixture.Server) {
	for i := range 7 {
		s.Send(t, "POST", "/v1/categories",
			fmt.Sprintf(`{"data":{"type":"categories","attributes":{"name":"Number %d"}}}`, i))
	}
	const list = records.Base + "/v1/categories"

	t.Run("following next, then prev", func(t *testing.T) {
		is := is.New(t)
		var seen []string
		path := "/v1/categories?q=number&limit=3&api_key=" + s.Key
		p := s.Get(t, path).Page(t)
		for {
			for _, r := range p.Data {
				seen = append(seen, r.ID)
			}
			is.True(len(seen) <= 7)
			if p.Links.Next == "" {
				break
			}
			p = s.Get(t, strings.TrimPrefix(p.Links.Next, records.Base)).Page(t)
		}
		is.Equal(len(seen), 7)
		is.Equal(fixture.WithoutCursor(p.Links.Self), list+"?q=number&limit=3&page=3")
		is.Equal(fixture.WithoutCursor(p.Links.Prev), list+"?q=number&limit=3&page=2")
		p = s.Get(t, strings.TrimPrefix(p.Links.Prev, records.Base)).Page(t)
		is.Equal(p.Data[0].ID, seen[3])
		is.Equal(p.Links.Prev, list+"?q=number&limit=3") // a link to page 1 contains no page number
	})

	tests := []struct {
		name             string
		query            string
		rows             int
		self, prev, next string // links without the path of the list; "": no link
	}{
		{"no parameters", "", 9, "", "", ""},
		{"page 1 is not in links", "?page=1&limit=5", 5, "?limit=5", "", "?limit=5&page=2"},
		{"a full last page has no next", "?limit=3&page=3", 3, "?limit=3&page=3", "?limit=3&page=2", ""},
		{"past the end", "?page=50", 0, "?page=50", "?page=49", ""},
		{"a limit that is too large", "?limit=99999999999999999999999", 9, "?limit=99999999999999999999999", "", ""},
		{
			"a page beyond all numbers", "?page=99999999999999999999999", 0,
			"?page=9223372036854775807", "?page=9223372036854775806", "",
		},
		{
			"the order sent", "?sort=-name&limit=4&filter[name][cont]=n&q=n&page=2", 4,
			"?sort=-name&limit=4&filter%5Bname%5D%5Bcont%5D=n&q=n&page=2",
			"?sort=-name&limit=4&filter%5Bname%5D%5Bcont%5D=n&q=n",
			"?sort=-name&limit=4&filter%5Bname%5D%5Bcont%5D=n&q=n&page=3",
		},
		{"odd characters", "?q=%26+%3B;%C3%A9%3D", 0, "?q=%26%20%3B%3B%C3%A9%3D", "", ""},
		{"unknown parameters are dropped", "?utm=1&limit=9&_=2", 9, "?limit=9", "", ""},
		{"the same value twice", "?limit=9&limit=9", 9, "?limit=9&limit=9", "", ""},
		{"leading zeros", "?page=01&limit=009", 9, "?limit=009", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := s.Get(t, "/v1/categories"+tt.query).Page(t)
			at := func(link, address string) string {
				if link == "" && address != "self" {
					return ""
				}
				return list + link
			}
			is.Equal(len(p.Data), tt.rows)
			is.Equal(p.Links.Self, at(tt.self, "self"))
			is.Equal(fixture.WithoutCursor(p.Links.Prev), at(tt.prev, "prev"))
			is.Equal(fixture.WithoutCursor(p.Links.Next), at(tt.next, "next"))
		})
	}

	t.Run("a limit above 1000 counts as 1000", func(t *testing.T) {
		is := is.New(t)
		is.Equal(len(s.Get(t, "/v1/categories?limit=1001").Page(t).Data), 9)
	})
}

// Filters checks which records a filter selects, and their order.
func Filters(t *testing.T, s *fixture.Server) {
	drawingLink := url.QueryEscape(records.Academy + "/c/" + records.TokenDrawing)
	designersLink := url.QueryEscape(records.Academy + "/g/" + records.TokenDesigners)
	tests := []struct {
		path, want string
	}{
		{"/v1/people?filter[email][eq]=ada@example.test", records.Ada},
		{"/v1/people?filter[first_name][eq]=Ada", records.Ada},
		{"/v1/people?filter[unsubscribed]=false&filter[name]=LOVE", records.Ada},
		{"/v1/people?filter[uuid][in][]=" + records.Ada + "&filter[id][in][]=" + records.Olga, records.Ada + " " + records.Olga},
		{"/v1/people?filter[uuid][in][]=" + records.Olga + "&filter[uuid][in][]=" + strings.ToUpper(records.Ada), records.Ada + " " + records.Olga},
		{"/v1/people?filter[or][email][start]=grace&filter[or][full_name][end]=TURING", records.Alan + " " + records.Grace},
		{"/v1/people?filter[activated_at][null]=true", records.Grace},
		{"/v1/people?filter[created_at][gteq]=2025-11-05", records.Alan + " " + records.Olga},
		{"/v1/people?filter[created_at][eq]=2025-11-03T09:30:00.120Z", records.Ada},
		{"/v1/people?filter[registration_status][not_eq]=activated", records.Grace},
		{"/v1/people?filter[course_count][gt]=1", records.Ada},
		{"/v1/people?sort=-created_at", records.Olga + " " + records.Alan + " " + records.Grace + " " + records.Ada},
		{"/v1/people?sort=course_count,-email&limit=2", records.Olga + " " + records.Grace},
		{"/v1/people?q=ada", records.Ada},
		{"/v1/people?q=lovelace+ADA", records.Ada},
		{"/v1/people?q=example", records.Grace}, // a person without a name has the email address as full_name
		{"/v1/learners", records.Ada + " " + records.Alan + " " + records.Grace},
		{"/v1/learners?filter[full_name][cont]=a&filter[course_count][lt]=2", records.Alan + " " + records.Grace},
		{"/v1/courses", records.Drawing + " " + records.Singing},
		{"/v1/courses?filter[enrollments_count][eq]=2", records.Singing},
		{"/v1/courses?filter[course_enrollment_link][eq]=" + drawingLink, records.Drawing},
		{"/v1/courses?filter[course_enrollment_link][cont]=2222", records.Singing},
		{"/v1/courses?filter[share_course_link][end]=singing/cover", records.Singing},
		{"/v1/courses?sort=-share_course_link", records.Singing + " " + records.Drawing},
		{"/v1/courses?filter[categories.id][eq]=" + records.Music, records.Drawing},
		{"/v1/courses?filter[categories.id][in][]=" + records.Music + "&filter[categories.id][in][]=" + records.Unknown, records.Drawing},
		{"/v1/courses?filter[categories.id][not_eq]=" + records.Unknown, records.Drawing}, // singing has no category
		{"/v1/courses?filter[categories.id][not_in]=" + records.Design, ""},
		{"/v1/courses?filter[categories.id][null]=true", records.Singing},
		{"/v1/courses?filter[categories.id][eq]=" + records.TheirCategory, ""},
		{"/v1/courses?filter[or][categories.id]=" + strings.ToUpper(records.Design) + "&filter[or][name]=sing&sort=-name", records.Singing + " " + records.Drawing},
		{"/v1/courses?filter[instructor_partnerships.id][eq]=" + records.AlansPartnership, records.Drawing},
		{"/v1/courses?filter[instructor_partnerships.id][null]=t", records.Singing},
		{"/v1/people?filter[partnerships.id]=" + records.AlansPartnership, records.Alan},
		{"/v2/partnerships", records.OlgasPartnership + " " + records.AlansPartnership},
		{"/v2/partnerships?filter[role]=OWN", records.OlgasPartnership},
		{"/v2/partnerships?filter[role][in][]=instructor&filter[role][in][]=manager", records.AlansPartnership},
		{"/v2/partnerships?filter[person.id]=" + records.Olga, records.OlgasPartnership},
		{"/v2/partnerships?sort=role", records.AlansPartnership + " " + records.OlgasPartnership},
		{"/v2/partnerships?filter[created_at][lt]=2025-11-06&filter[school.id]=" + records.OwnSchoolID, records.AlansPartnership},
		{"/v1/people?filter[partnerships.id][not_eq]=" + records.AlansPartnership, records.Olga},
		{"/v1/people?filter[partnerships.id][null]=true", records.Ada + " " + records.Grace},
		{"/v1/people?filter[school.id][eq]=" + records.OwnSchoolID + "&filter[first_name]=a&sort=-school.id", records.Ada + " " + records.Alan + " " + records.Olga},
		{"/v1/people?filter[school.id][not_in][]=" + records.OwnSchoolID, ""},
		{"/v1/people?filter[school.id][eq]=" + records.Unknown, ""},
		{"/v1/people?filter[or][school.id]=" + records.Unknown + "&filter[or][email]=ada", records.Ada},
		{"/v1/learners?filter[school.id]=" + records.OwnSchoolID, records.Ada + " " + records.Alan + " " + records.Grace},
		{"/v2/people?filter[school.id][eq]=" + records.OwnSchoolID + "&filter[partnerships.id]=" + records.AlansPartnership, records.Alan},
		{"/v2/people?filter[unsubscribed]=false&sort=-last_name&limit=2", records.Alan + " " + records.Ada},
		{"/v2/courses?filter[categories.id]=" + records.Design, records.Drawing},
		{"/v1/groups", records.Designers + " " + records.Singers},
		{"/v1/groups?q=DANCERS", records.Singers},
		{"/v1/groups?filter[membership_count][gt]=0", records.Designers},
		{"/v1/groups?filter[group_enrollment_link][eq]=" + designersLink, records.Designers},
		{"/v1/groups?filter[group_enrollment_link][start]=" + url.QueryEscape(records.Academy) + "/g/4", records.Singers},
		{"/v1/groups?sort=-group_enrollment_link", records.Singers + " " + records.Designers},
		{"/v2/groups?sort=membership_count,name", records.Singers + " " + records.Designers},
		{"/v1/coupons", records.EarlyBird + " " + records.TenOff},
		{"/v1/coupons?q=ten+off", records.TenOff},
		{"/v1/coupons?q=EUR", ""}, // only the code is searched
		{"/v2/coupons?sort=-code", records.TenOff + " " + records.EarlyBird},
		{"/v1/coupons?filter[uuid][eq]=" + strings.ToUpper(records.TenOff), records.TenOff},
		{"/v1/coupons?filter[code][eq]=Early+Bird", records.EarlyBird},
		{"/v1/coupons?filter[code]=bird", records.EarlyBird},
		{"/v1/coupons?filter[currency_code][in][]=USD&filter[currency_code][in][]=GBP", records.TenOff},
		{"/v1/coupons?filter[currency_code][start]=eu", records.EarlyBird},
		{"/v1/coupons?filter[enabled]=true", records.EarlyBird},
		{"/v1/coupons?filter[enabled][eq]=F", records.TenOff},
		{"/v1/coupons?filter[start_on][eq]=2025-11-02", records.TenOff},
		{"/v1/coupons?filter[start_on][gteq]=2025-11-01&filter[start_on][lt]=2025-11-02", records.EarlyBird},
		{"/v1/coupons?filter[start_on][lt]=0000-01-01", ""},
		{"/v1/coupons?filter[end_on][null]=true", records.TenOff},
		{"/v1/coupons?filter[end_on][lteq]=2025-12-31", records.EarlyBird},
		{"/v1/coupons?filter[end_on][not_eq]=2026-01-01", records.EarlyBird}, // null is not a date
		{"/v1/coupons?sort=-end_on", records.EarlyBird + " " + records.TenOff},
		{"/v1/coupons?filter[format][eq]=percentage", records.EarlyBird},
		{"/v1/coupons?filter[value][eq]=12.500", records.EarlyBird},
		{"/v1/coupons?filter[value][eq]=1.25e1", records.EarlyBird},
		{"/v1/coupons?filter[value][lteq]=10", records.TenOff},
		{"/v1/coupons?filter[value][gt]=10.0000000001", records.EarlyBird},
		{"/v1/coupons?sort=value", records.TenOff + " " + records.EarlyBird},
		{"/v1/coupons?filter[usages_count][gt]=3", records.TenOff},
		{"/v1/coupons?filter[maximum_usages][in][]=100&filter[maximum_usages][in][]=1", records.EarlyBird},
		{"/v1/coupons?filter[or][enabled]=true&filter[or][value][lt]=11&sort=maximum_usages", records.TenOff + " " + records.EarlyBird},
		{"/v1/people?filter[group_count][eq]=1", records.Ada},
		{"/v1/categories?filter[name][eq]=Music+%26+Dance", records.Music},
		{"/v1/categories?filter%5Bname%5D%5Bcont%5D%5B%5D=DES", records.Design},
		{"/v1/categories?filter[name][eq]=a;b", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.Get(t, tt.path).IDs(t), tt.want)
		})
	}
}

// Parameters checks that the response contains all faults of a query.
func Parameters(t *testing.T, s *fixture.Server) {
	many := func(word string, n int) string {
		var words []string
		for i := range n {
			words = append(words, fmt.Sprintf("%s%02d", word, i))
		}
		return strings.Join(words, "+")
	}
	tests := []struct {
		query string
		at    []string // parameters named in the errors
	}{
		{"page=0", []string{"page"}},
		{"page=-1", []string{"page"}},
		{"page=1.5", []string{"page"}},
		{"page=+1", []string{"page"}},
		{"page=", []string{"page"}},
		{"page=two&limit=", []string{"page", "limit"}},
		{"limit=0", []string{"limit"}},
		{"page=1&page=2", []string{"page"}},
		{"q=a&q=b", []string{"q"}},
		{"sort=age", []string{"sort"}},
		{"sort=enroll_token", []string{"sort"}},
		{"sort=", nil},
		{"sort=categories.id", []string{"sort"}},
		{"filter[categories.id][eq]=design&filter[instructor_partnerships.id][cont]=a", []string{"filter[categories.id][eq]", "filter[instructor_partnerships.id][cont]"}},
		{"q=%ff", []string{"q"}},
		{"q=%zz", []string{"q"}},
		{"unknown=%zz&utm=50%off", nil},
		{"include=people", []string{"include"}},
		{"fields[people]=name", []string{"fields[people]"}},
		{"page[number]=2&page[size]=9", []string{"page[number]", "page[size]"}},
		{"filter=x", []string{"filter"}},
		{"filter[]=x", []string{"filter[]"}},
		{"filter[name=x", []string{"filter[name"}},
		{"filter]name[=x", []string{"filter]name["}},
		{"filter.name=x", []string{"filter.name"}},
		{"filter_name=x&filterx=y", []string{"filter_name", "filterx"}},
		{"filter[name]]=x", []string{"filter[name]]"}},
		{"filter[name]eq=x", []string{"filter[name]eq"}},
		{"filter[[name]]=x", []string{"filter[[name]]"}},
		{"filter[name][eq]=%zz", []string{"filter[name][eq]"}},
		{"filter[name%zz][eq]=x", []string{"filter[name%zz][eq]"}},
		{"filter[age][eq]=1&filter[name][like]=x", []string{"filter[age][eq]", "filter[name][like]"}},
		{"filter%5Bage%5D=1", []string{"filter[age]"}},
		{"filter[enroll_token][eq]=x", []string{"filter[enroll_token][eq]"}},
		{"filter[enrollments_count][eq]=many", []string{"filter[enrollments_count][eq]"}},
		{"filter[name][eq]=%00", []string{"filter[name][eq]"}},
		{"filter[or]=x", []string{"filter[or]"}},
		{"filters[name]=x&Page=0&utm", []string{"filters[name]", "Page"}},
		{"Filter[name]=x", []string{"Filter[name]"}},
		{"sorts=name&limits=5&PAGES=2&Q=x&Cursor=y", []string{"sorts", "limits", "PAGES", "Q", "Cursor"}},
		{"cursor=", []string{"cursor"}},
		{"cursor=abc&page=x", []string{"page"}}, // without a valid page, the cursor cannot be checked
		{"cursor[x]=y", []string{"cursor[x]"}},
		{"per_page=2&sorting=x&query=y", nil},
		{"q=" + many("w", 20), nil},
		{"q=" + many("w", 21), []string{"q"}},
		{"q=" + strings.Repeat("same+", 300), nil},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			is := is.New(t)
			a := s.Get(t, "/v1/courses?"+tt.query)
			if tt.at == nil {
				is.Equal(a.Status, 200)
				return
			}
			is.Equal(a.Status, 400)
			var at []string
			for _, line := range a.Failures(t) {
				at = append(at, strings.Fields(line)[1])
			}
			is.Equal(at, tt.at)
		})
	}
}
