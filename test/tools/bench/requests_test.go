package bench_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/uuid"
)

func BenchmarkRead(b *testing.B) {
	onBothStores(b, func(b *testing.B, s *bench) {
		sample := s.people[7]
		for _, read := range []struct{ name, target string }{
			{"people first page", "/v1/people"},
			{"people page 300", "/v1/people?page=300"},
			{"people by two words", "/v1/people?q=" + url.QueryEscape("an er")},
			{"people by a common name", "/v1/people?q=" + url.QueryEscape(sample.LastName)},
			{"people by email", "/v1/people?filter[email][eq]=" + url.QueryEscape(sample.Email)},
			{"people by a nested filter", "/v1/people?filter[or][and][full_name][start]=a&filter[or][and][course_count][gt]=5" +
				"&filter[or][email][eq]=" + url.QueryEscape(sample.Email)},
			{"one person", "/v1/people/" + sample.ID.String()},
			{"courses first page", "/v1/courses"},
		} {
			b.Run(read.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.do(b, http.MethodGet, read.target, "", http.StatusOK)
				}
			})
		}
	})
}

// BenchmarkCompression measures reading pages with and without compression.
func BenchmarkCompression(b *testing.B) {
	s := onMemory(b)
	for _, target := range []string{"/v1/people", "/v2/people?limit=1000", "/openapi.json"} {
		for _, encoding := range []string{"identity", "gzip"} {
			b.Run(target+" "+encoding, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.do(b, http.MethodGet, target, "", http.StatusOK, "Accept-Encoding", encoding)
				}
			})
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	onBothStores(b, func(b *testing.B, s *bench) {
		b.Run("create a person", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.do(b, http.MethodPost, "/v1/learners",
					`{"data":{"type":"people","attributes":{"email":"`+uuid.NewString()+`@example.test"}}}`, http.StatusCreated)
			}
		})
		b.Run("enroll in five courses and back", func(b *testing.B) {
			b.ReportAllocs()
			body := `{"data":[`
			for i, id := range s.courses[:5] {
				if i > 0 {
					body += ","
				}
				body += fmt.Sprintf(`{"type":"enrolled-courses","id":%q}`, id)
			}
			body += `]}`
			for i := 0; b.Loop(); i++ {
				target := "/v1/people/" + s.people[i%len(s.people)].ID.String() + "/relationships/courses"
				s.do(b, http.MethodPost, target, body, http.StatusNoContent)
				s.do(b, http.MethodDelete, target, body, http.StatusNoContent)
			}
		})
	})
}

// BenchmarkKeyCheck measures OPTIONS requests with a valid and with a malformed key. Apart from the
// check of the key, they cost little.
func BenchmarkKeyCheck(b *testing.B) {
	s := onMemory(b)
	b.Run("known", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.do(b, http.MethodOptions, "/v1/people", "", http.StatusNoContent)
		}
	})
	stranger := *s
	stranger.key = "lyc_nobody"
	b.Run("malformed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stranger.do(b, http.MethodOptions, "/v1/people", "", http.StatusUnauthorized)
		}
	})
}
