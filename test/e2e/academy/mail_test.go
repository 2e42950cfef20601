package academy_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/mail"
	"lyceum/adapters/web"
	"lyceum/cmd/server"
	"lyceum/test/kit/mailtest"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestLearnAfterSignInByEmail checks that a learner can request a sign-in link, open the link from
// the email that a mail server has received, and complete a course, on PostgreSQL. The API reports
// what the learner has done.
func TestLearnAfterSignInByEmail(t *testing.T) {
	is := is.New(t)
	post := mailtest.Start(t, mailtest.Config{})
	cfg := server.Defaults()
	cfg.Store, cfg.Files.Dir = server.Postgres, t.TempDir()
	cfg.Postgres.DSN, cfg.Postgres.MaxConns = pgtest.Migrated(t), 4
	cfg.Mail.Mode, cfg.Mail.TLS, cfg.Mail.From = mail.SMTP, mail.None, "no-reply@school.example"
	cfg.Mail.Host, cfg.Mail.Port = post.Host, post.Port
	base := serveWith(t, cfg)
	academy := base + web.Prefix + "/" + demo.Slug
	learner := newBrowser(t)
	course := academy + "/courses/seeing-light"

	_, at, _ := open(t, learner, http.MethodGet, course, nil, "")
	is.Equal(at.String(), academy+"/sign-in?return=%2Fcourses%2Fseeing-light")
	asked := url.Values{"email": {learnerEmail}, "return": {"/courses/seeing-light"}}.Encode()
	status, at, _ := open(t, learner, http.MethodPost, academy+"/sign-in", form, asked)
	is.Equal(status, http.StatusOK)
	is.Equal(at.String(), academy+"/check-mail?return=%2Fcourses%2Fseeing-light")
	link := signInLink(t, post)
	is.True(strings.HasPrefix(link, academy+"/sign-in/"))
	open(t, learner, http.MethodGet, link, nil, "")
	_, at, page := open(t, learner, http.MethodPost, link, form, "")
	is.Equal(at.String(), course)
	is.True(strings.Contains(page, "<h1>Seeing Light: Photography from the Start</h1>"))

	learnSeeingLight(t, learner, course)
	_, _, page = open(t, learner, http.MethodGet, academy+"/courses", nil, "")
	is.True(regexp.MustCompile(`>Seeing Light: Photography from the Start</a></h2>\s*<progress value="100"`).MatchString(page))
	person := list(t, base+"/v2/people?filter[email]="+learnerEmail)[0].ID
	progress := list(t, base+"/v1/analytics/courses?filter[person.id]="+person+"&sort=-progress")
	is.Equal(progress[0].Attributes["progress"], float64(100))
	counts := map[string]int{}
	for _, event := range list(t, base+"/v2/events?sort=-created_at&limit=10&filter[person.id]="+person) {
		counts[event.Type]++
	}
	is.True(counts["learner_viewed_activity_events"] > 0)
	is.True(counts["learner_viewed_video_activity_events"] > 0)
}

// signInLink waits for an email and returns the sign-in link in it.
func signInLink(t *testing.T, post *mailtest.Server) string {
	t.Helper()
	select {
	case <-post.Arrived():
	case <-time.After(30 * time.Second):
		t.Fatal("no email has arrived")
	}
	sent := post.Accepted()[0]
	is.New(t).Equal(sent.To, []string{learnerEmail})
	return regexp.MustCompile(`http\S+/sign-in/\S+`).FindString(sent.Parse(t).Text)
}

// learnSeeingLight completes all activities of the course as a learner does in a browser.
func learnSeeingLight(t *testing.T, learner *http.Client, course string) {
	t.Helper()
	is := is.New(t)
	submit := func(path string, header http.Header, body string) (*url.URL, string) {
		t.Helper()
		status, at, page := open(t, learner, http.MethodPost, course+path, header, body)
		is.Equal(status, http.StatusOK)
		return at, page
	}
	open(t, learner, http.MethodGet, course+"/what-light-does", nil, "")
	submit("/what-light-does/complete", form, "")
	submit("/ten-minutes-at-a-window/watched", form, "watched=0.95")
	question := regexp.MustCompile(`name="question" value="([^"]+)"`)
	_, _, page := open(t, learner, http.MethodGet, course+"/do-you-see-it/questions/1", nil, "")
	for number := "1"; number != ""; {
		at, next := submit("/do-you-see-it/questions/"+number, form, "choice=1&question="+question.FindStringSubmatch(page)[1])
		page = next
		_, number, _ = strings.Cut(at.Path, "/questions/")
	}
	is.True(strings.Contains(page, "Result: "))
	upload := http.Header{"Content-Type": {"multipart/form-data; boundary=B"}, "Sec-Fetch-Site": {"same-origin"}}
	_, page = submit("/your-portrait/files", upload,
		"--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"portrait.txt\"\r\n\r\na face\r\n--B--\r\n")
	is.True(strings.Contains(page, "portrait.txt"))
}

// resource is a resource of the API.
type resource struct {
	Type, ID   string
	Attributes map[string]any
}

// list returns the resources of a list.
func list(t *testing.T, address string) []resource {
	t.Helper()
	is := is.New(t)
	status, _, body := open(t, http.DefaultClient, http.MethodGet, address, http.Header{"X-Api-Key": {demo.Key}}, "")
	is.Equal(status, http.StatusOK) // list can be read
	var document struct{ Data []resource }
	is.NoErr(json.Unmarshal([]byte(body), &document))
	return document.Data
}
