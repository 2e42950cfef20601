package journey_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// submitFile submits a file and downloads it through its link, which requires no key.
func (s *journey) submitFile(t *testing.T) {
	is := is.New(t)
	const file = "It closes, almost.\x00\xff\r\n"
	c, by := s.courses[s.craft], s.learners[0]
	made := s.submit(t, "/v2/assignments/"+c.assignment+"/submissions", by, "box.bin", file)
	is.Equal(relatedID(made.data, "person"), by)
	is.Equal(relatedID(made.data, "course_attempt"), s.expected.current(enrollmentKey{by, c.id}).id)
	s.expected.current(enrollmentKey{by, c.id}).complete(c.activities[workAt], text(made.data, "attributes.created_at"))
	link := text(s.get(t, "/v2/submissions/"+made.id()).data, "links.download")
	is.Equal(client{}.get(t, link).body, file)
	client{}.ask(t, 403, "GET", strings.Replace(link, "signature=", "signature=0", 1), "")
	is.Equal(len(s.all(t, "/v2/submissions")), 1)
}

// redeem redeems a coupon until it has no usages left.
func (s *journey) redeem(t *testing.T) {
	is := is.New(t)
	coupon := s.post(t, "/v2/coupons", `{"data":{"type":"coupons","attributes":{"code":"OPEN-DAY","currency_code":"EUR",`+
		`"format":"fixed","value":12.5,"start_on":"2020-01-01","maximum_usages":3}}}`).id()
	use := func(status int, by string) {
		s.ask(t, status, "POST", "/v2/coupons/"+coupon+"/redemptions",
			`{"data":{"type":"coupon_redemptions","relationships":{`+related("person", "people", by)+`}}}`)
	}
	for _, by := range []string{s.learners[0], s.learners[1], s.learners[0]} {
		use(201, by)
	}
	use(422, s.learners[2])
	is.Equal(at(s.get(t, "/v2/coupons/"+coupon).data, "attributes.usages_count"), 3.0)
	is.Equal(len(s.all(t, "/v2/coupons/"+coupon+"/redemptions")), 3)
}

// export exports the school and checks that the export contains each person once.
func (s *journey) export(t *testing.T) {
	is := is.New(t)
	copied := s.get(t, "/v2/export").body
	for i := range size {
		is.Equal(strings.Count(copied, `{"kind":"person","email":"`+address(i)+`"`), 1)
	}
	is.True(strings.Contains(copied, `{"kind":"end",`))
}

// removePeople unenrolls one learner and deletes another.
func (s *journey) removePeople(t *testing.T) {
	is := is.New(t)
	leaver, gone := s.learners[1], s.learners[2]
	s.ask(t, 204, "DELETE", "/v2/people/"+leaver+"/relationships/courses",
		`{"data":[`+reference("enrolled-courses", s.craft)+`]}`)
	s.ask(t, 204, "DELETE", "/v2/people/"+gone, "")
	s.ask(t, 404, "GET", "/v2/people/"+gone, "")
	s.expected.deletePerson(gone)
	s.learnersOf[s.craft] -= 2
	s.learnersOf[s.dyes]--
	is.Equal(at(s.all(t, "/v2/groups"), "0.attributes.membership_count"), float64(len(s.learners)-1))
	s.ask(t, 422, "POST", "/v2/activities/"+s.courses[s.craft].activities[0]+"/completions",
		`{"data":{"type":"activity_completions","relationships":{`+related("person", "people", leaver)+`}}}`)
}
