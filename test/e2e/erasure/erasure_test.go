package erasure

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/mail"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/cmd/server"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/signin"
	"lyceum/test/kit"
	"lyceum/test/kit/mailtest"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	firstName = "Zeldabeth"
	lastName  = "Quuxington"
	avatar    = "https://img.example.test/zq-avatar.png"
	response  = "zq response"
	bytesOf   = "zq bytes of a file"
	fileName  = "zq-essay.txt"
)

const plan = `{"data":{"type":"course_structures","attributes":{"activities":[
	{"key":"a","title":"Text","kind":"text"},
	{"key":"b","title":"Video","kind":"video","duration":540},
	{"key":"c","title":"Quiz","kind":"quiz","quiz":{"name":"Quiz","questions":[
		{"key":"q","text":"Which?","choices":[{"text":"` + response + `","correct":true},{"text":"no"}]},
		{"key":"r","text":"And?","choices":[{"text":"yes","correct":true},{"text":"no"}]}]}},
	{"key":"d","title":"Work","kind":"assignment","assignment":{"title":"Work"}}]}}}`

// world is a running server.
type world struct {
	*is.I
	t      *testing.T
	url    string
	key    string
	app    *app.App
	school app.Actor
	files  string
	sent   []sent   // requests that had an Idempotency-Key
	made   []string // ids in the responses to these requests
}

type sent struct{ path, key, contentType, body string }

// start runs a server on a store. The mail server rejects every recipient with a message that
// contains the recipient's address.
func start(t *testing.T, store server.Store, dsn string) *world {
	t.Helper()
	post := mailtest.Start(t, mailtest.Config{Recipient: func(to string) error {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no mailbox for <" + to + ">"}
	}})
	cfg := server.Defaults()
	cfg.Store, cfg.Transport.Addr, cfg.Files.Dir = store, "127.0.0.1:0", t.TempDir()
	cfg.Postgres.DSN, cfg.Postgres.MigrateAtStart = dsn, true
	cfg.Worker.Poll = 50 * time.Millisecond
	cfg.Mail.Mode, cfg.Mail.From, cfg.Mail.TLS = mail.SMTP, "no-reply@school.example", mail.None
	cfg.Mail.Host, cfg.Mail.Port = post.Host, post.Port
	cfg.Secret, cfg.OutgoingAllowed = strings.Repeat("s", 32), []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	srv, err := server.New(cfg)
	w := &world{I: is.New(t), t: t, app: srv.App(), files: cfg.Files.Dir}
	w.NoErr(err)
	made, secret, err := kit.School{Name: "School"}.Import(t.Context(), srv.App())
	w.NoErr(err)
	w.key, w.school = secret, app.SystemActor(made)
	w.NoErr(srv.Start(t.Context()))
	t.Cleanup(func() {
		if err := srv.Stop(); err != nil {
			t.Error(err)
		}
	})
	w.url = srv.URL()
	return w
}

func (w *world) ask(method, path, contentType, key, body string) (int, string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	w.NoErr(err)
	r.Header.Set("X-Api-Key", w.key)
	if body != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(r)
	w.NoErr(err)
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	w.NoErr(err)
	return response.StatusCode, fmt.Sprint(response.Header) + string(data)
}

// post sends a document with a new Idempotency-Key and returns the id in the response.
func (w *world) post(path, body string) string {
	w.t.Helper()
	return w.upload(path, "application/json", body)
}

func (w *world) upload(path, contentType, body string) string {
	w.t.Helper()
	s := sent{path, uuid.NewString(), contentType, body}
	status, answer := w.ask("POST", path, contentType, s.key, body)
	if status >= 300 {
		w.t.Fatalf("POST %s: %d %s", path, status, answer)
	}
	w.sent = append(w.sent, s)
	made := idOf(answer)
	if made != "" {
		w.made = append(w.made, made)
	}
	return made
}

var id = regexp.MustCompile(`"id":"([0-9a-f-]{36})"`)

func idOf(document string) string {
	if found := id.FindStringSubmatch(document); found != nil {
		return found[1]
	}
	return ""
}

func related(name, typ, id string) string {
	return fmt.Sprintf(`%q:{"data":{"type":%q,"id":%q}}`, name, typ, id)
}

// until waits until done returns true, for at most a minute.
func (w *world) until(what string, done func() bool) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("%s: never", what)
		}
	}
}

// TestDeletionRemovesAllTracesOfPerson uses every operation that saves data about a person, deletes
// the person, and searches for remaining data.
func TestDeletionRemovesAllTracesOfPerson(t *testing.T) {
	for _, store := range []server.Store{server.Memory, server.Postgres} {
		t.Run(string(store), func(t *testing.T) {
			dsn := ""
			if store == server.Postgres {
				dsn = pgtest.Fresh(t)
			}
			w := start(t, store, dsn)
			course := w.post("/v2/courses", `{"data":{"type":"courses","attributes":{"name":"Course"}}}`)
			status, built := w.ask("PUT", "/v2/courses/"+course+"/structure", "application/json", "", plan)
			w.Equal(status, 200)
			group := w.post("/v2/groups", `{"data":{"type":"groups","attributes":{"name":"Group"}}}`)
			coupon := w.post("/v2/coupons", `{"data":{"type":"coupons","attributes":{"code":"Winter","currency_code":"EUR","start_on":"2025-12-01","format":"percentage","value":10,"maximum_usages":9}}}`)

			for i, bring := range []func(email string) string{
				func(email string) string {
					return w.post("/v2/people", fmt.Sprintf(`{"data":{"type":"people","attributes":{"email":%q,"first_name":%q,"last_name":%q,"custom_avatar_url":%q}}}`,
						email, firstName, lastName, avatar))
				},
				func(email string) string {
					return w.post("/v1/learners", fmt.Sprintf(`{"data":{"type":"people","attributes":{"email":%q,"first_name":%q,"last_name":%q}}}`,
						email, firstName, lastName))
				},
				func(email string) string {
					w.post("/v1/bulk/people", fmt.Sprintf(`{"data":{"type":"x","attributes":{"people":[{"email":%q,"first_name":%q,"last_name":%q,"groups":"Group"},{"email":"%s","first_name":%q,"groups":"none"}]}}}`,
						email, firstName, lastName, email, lastName))
					w.until("the bulk request", func() bool { return w.find(email) != "" })
					return w.find(email)
				},
				func(email string) string {
					text := "email,first_name,last_name,custom_avatar_url,groups\n" + email + "," + firstName + "," + lastName + "," + avatar + ",Group\n"
					_, err := w.app.Transfers.ImportPeople(t.Context(), w.school, kit.Reading(text), true)
					w.NoErr(err)
					return w.find(email)
				},
			} {
				email := fmt.Sprintf("zelda.quux%d@example.test", i)
				person := bring(email)
				w.True(person != "")
				w.until("the mail server refuses", func() bool { return w.dead(person) })
				w.made = nil
				w.learn(person, course, group, coupon, built)
				w.teach(person)

				if dsn != "" {
					analyze(t, dsn)
				}
				status, answer := w.ask("DELETE", "/v2/people/"+person, "", "", "")
				if status != 204 {
					t.Fatal(status, answer)
				}
				w.until("the files", func() bool { return !strings.Contains(w.storedFiles(), bytesOf) && w.jobs(jobs.FileCleanupKind) == "" })
				needles := []string{email, "zelda.quux", firstName, lastName, avatar, bytesOf, fileName}
				needles = append(needles, w.made...)
				needles = append(needles, person)
				w.checkAbsent("the files", w.storedFiles(), needles)
				var lines bytes.Buffer
				w.NoErr(w.app.Transfers.Export(t.Context(), w.school, &lines, func(int) {}))
				w.checkAbsent("an export", lines.String(), needles)
				for _, kind := range []job.Kind{invitation.Kind, signin.Kind, signin.StrangerKind, jobs.FileCleanupKind} {
					w.checkAbsent("the jobs", w.jobs(kind), needles)
				}
				if dsn != "" {
					w.checkAbsent("the database", dump(t, dsn), needles)
					w.checkAbsent("the statistics", statistics(t, dsn), []string{"zelda", firstName, lastName, avatar, bytesOf, fileName})
				}
				for _, s := range w.sent {
					_, again := w.ask("POST", s.path, s.contentType, s.key, s.body)
					w.checkAbsent("a repeat of "+s.path, again, needles)
				}
				w.checkAbsent("the files after the repeats", w.storedFiles(), needles)
				w.Equal(w.find(email), "") // retries have not created the person again
			}
		})
	}
}

// teach makes the person the instructor of a course. Then it ends the partnership, which otherwise
// prevents the deletion of the person.
func (w *world) teach(person string) {
	w.t.Helper()
	partnership := w.post("/v2/partnerships", `{"data":{"type":"partnerships","attributes":{"role":"instructor"},"relationships":{`+
		related("person", "people", person)+`}}}`)
	made := w.made
	w.post("/v2/courses", `{"data":{"type":"courses","attributes":{"name":"Course"},"relationships":{
		"instructor_partnerships":{"data":[{"type":"instructor_partnerships","id":"`+partnership+`"}]}}}}`)
	w.made = made // the course remains
	status, answer := w.ask("DELETE", "/v2/partnerships/"+partnership, "", "", "")
	if status != 204 {
		w.t.Fatal(status, answer)
	}
}

// TestDeletionRemovesSignInLinks requests a sign-in link for a person, which the mail server rejects,
// and creates one as the operator does. It deletes the person, and searches for remaining data: the
// job of the rejected email remains.
func TestDeletionRemovesSignInLinks(t *testing.T) {
	for _, store := range []server.Store{server.Memory, server.Postgres} {
		t.Run(string(store), func(t *testing.T) {
			dsn := ""
			if store == server.Postgres {
				dsn = pgtest.Fresh(t)
			}
			w := start(t, store, dsn)
			const email = "zelda.quux@example.test"
			_, err := w.app.Transfers.ImportPeople(t.Context(), w.school, kit.Reading("email,first_name\n"+email+","+firstName+"\n"), false)
			w.NoErr(err)
			s, err := w.app.School.Get(t.Context(), w.school)
			w.NoErr(err)
			w.NoErr(w.app.SignIns.Request(t.Context(), s.State, email, "/courses", false))
			w.until("the mail server refuses", func() bool { return strings.Contains(w.jobs(signin.Kind), "550") })
			token, err := w.app.SignIns.CreateLink(t.Context(), w.school.School(), email)
			w.NoErr(err)
			if dsn != "" {
				w.True(strings.Contains(dump(t, dsn), email)) // otherwise checkAbsent could not find a link
			}

			person := w.find(email)
			status, answer := w.ask("DELETE", "/v2/people/"+person, "", "", "")
			if status != 204 {
				t.Fatal(status, answer)
			}
			needles := []string{email, "zelda.quux", firstName, person}
			w.True(strings.Contains(w.jobs(signin.Kind), "550"))
			w.checkAbsent("the jobs", w.jobs(signin.Kind), needles)
			if dsn != "" {
				w.checkAbsent("the database", dump(t, dsn), needles)
			}
			_, err = w.app.SignIns.Link(t.Context(), s.State, token)
			w.True(fault.Is(err, fault.NotFound))
			w.NoErr(w.app.SignIns.Request(t.Context(), s.State, email, "/courses", false))
			w.until("the address, which is unknown now, is erased", func() bool { return dsn == "" || !strings.Contains(dump(t, dsn), email) })
		})
	}
}

// activities returns the activities in a response with a course structure.
func (w *world) activities(response string) []kit.Activity {
	found, err := kit.Activities([]byte(response[strings.Index(response, "{"):]))
	w.NoErr(err)
	return found
}

// learn sends every kind of request that saves learner data about the person, each with an
// Idempotency-Key.
func (w *world) learn(person, course, group, coupon, built string) {
	a := w.activities(built)
	w.Equal(len(a), 4)
	text, video, quizAt, work := a[0].ID, a[1].ID, a[2].ID, a[3].ID
	quiz, question, assignment := a[2].Quiz.ID, a[2].Quiz.Questions[0].ID, a[3].Assignment.ID
	of := related("person", "people", person)
	w.post("/v2/people/"+person+"/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"`+course+`"}]}`)
	w.post("/v2/groups/"+group+"/relationships/people", `{"data":[{"type":"people","id":"`+person+`"}]}`)
	w.post("/v2/courses/"+course+"/attempts", `{"data":{"type":"course_attempts","relationships":{`+of+`}}}`)
	w.post("/v2/activities/"+text+"/completions", `{"data":{"type":"activity_completions","relationships":{`+of+`}}}`)
	w.post("/v2/events", `{"data":{"type":"learner_viewed_activity_events","attributes":{},"relationships":{`+of+`,`+related("activity", "activities", video)+`}}}`)
	w.post("/v2/quizzes/"+quiz+"/answers", `{"data":{"type":"quiz_raw_answers","attributes":{"response":"`+response+`"},"relationships":{`+
		of+`,`+related("activity", "activities", quizAt)+`,`+related("question", "questions", question)+`}}}`)
	w.post("/v2/coupons/"+coupon+"/redemptions", `{"data":{"type":"coupon_redemptions","relationships":{`+of+`}}}`)
	w.post("/v2/people/"+person+"/tokens", "")
	made := w.made
	w.post("/v2/people/"+person+"/invitation", "")
	w.made = made // the id of an email is kept for a day, with the hash of its address
	w.until("the mail server refuses again", func() bool { return w.dead(person) })
	form := "--b\r\nContent-Disposition: form-data; name=\"person\"\r\n\r\n" + person +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"activity\"\r\n\r\n" + work +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + fileName + "\"\r\n\r\n" + bytesOf + "\r\n--b--\r\n"
	w.upload("/v2/assignments/"+assignment+"/submissions", "multipart/form-data; boundary=b", form)
	w.True(strings.Contains(w.storedFiles(), bytesOf)) // otherwise checkAbsent could not find a submitted file
}

// find returns the id of the person with the given email address, or "" if there is none.
func (w *world) find(email string) string {
	status, found := w.ask("GET", "/v2/people?filter%5Bemail%5D%5Beq%5D="+strings.ReplaceAll(email, "@", "%40"), "", "", "")
	w.Equal(status, 200)
	return idOf(found)
}

// dead reports whether the person's invitation job is dead. The last error of a dead job must
// contain the mail server's message with the person's address.
func (w *world) dead(person string) bool {
	found, err := w.app.Jobs.List(w.t.Context(), invitation.Kind, job.Dead)
	w.NoErr(err)
	for _, j := range found {
		if j.Payload == person {
			w.True(strings.Contains(j.LastError, "zelda.quux"))
			return true
		}
	}
	return false
}

// jobs returns the jobs of a kind as the operator's command prints them.
func (w *world) jobs(kind job.Kind) string {
	found, err := w.app.Jobs.List(w.t.Context(), kind)
	w.NoErr(err)
	var b strings.Builder
	for _, j := range found {
		if j.RunAt.After(time.Now().Add(time.Hour)) {
			continue // the job contains only the name of the deleted file
		}
		fmt.Fprintln(&b, j.Kind, j.Payload, j.LastError)
	}
	return b.String()
}

// storedFiles returns the names and contents of all files.
func (w *world) storedFiles() string {
	var b strings.Builder
	w.NoErr(filepath.WalkDir(w.files, func(path string, entry fs.DirEntry, err error) error {
		var data []byte
		if err == nil && !entry.IsDir() {
			data, err = os.ReadFile(path)
		}
		if os.IsNotExist(err) {
			return nil // deleted in the meantime, also folders without files
		}
		if err != nil || entry.IsDir() {
			return err
		}
		b.WriteString(path + "\n")
		b.Write(data)
		return err
	}))
	return b.String()
}

// checkAbsent fails if the text contains one of the needles: as it is, in hex, or with @ escaped as
// in a URL.
func (w *world) checkAbsent(where, text string, needles []string) {
	w.t.Helper()
	text = strings.ToLower(text)
	for _, needle := range needles {
		needle = strings.ToLower(needle)
		for _, form := range []string{needle, hex.EncodeToString([]byte(needle)), strings.ReplaceAll(needle, "@", "%40")} {
			if at := strings.Index(text, form); at >= 0 {
				w.t.Errorf("%s still has %q: …%s…", where, needle, text[max(0, at-200):min(len(text), at+200)])
				break
			}
		}
	}
}

// open opens a database until the test ends.
func open(t *testing.T, dsn string) *sqlx.DB {
	t.Helper()
	db, err := sqlx.Open("postgres", dsn)
	is.New(t).NoErr(err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// analyze computes the statistics of the planner.
func analyze(t *testing.T, dsn string) {
	t.Helper()
	is := is.New(t)
	_, err := open(t, dsn).ExecContext(t.Context(), `ANALYZE`)
	is.NoErr(err)
}

// statistics returns the values in the statistics of the planner, without those of people, which
// remain until the next ANALYZE.
func statistics(t *testing.T, dsn string) string {
	t.Helper()
	is := is.New(t)
	var rows []string
	is.NoErr(open(t, dsn).SelectContext(t.Context(), &rows, `SELECT concat_ws(' ', tablename, attname, most_common_vals, histogram_bounds, most_common_elems)
		FROM pg_stats WHERE schemaname = 'public' AND tablename <> 'people'`))
	is.True(len(rows) > 100)
	return strings.Join(rows, "\n")
}

// dump returns the rows of all tables as text. It omits the change feed, and the jobs that check
// for a file two hours later, because these contain only ids.
func dump(t *testing.T, dsn string) string {
	t.Helper()
	is := is.New(t)
	db := open(t, dsn)
	var tables []string
	is.NoErr(db.SelectContext(t.Context(), &tables, `SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`))
	is.True(len(tables) > 20)
	var b strings.Builder
	for _, table := range tables {
		if table == "public.changes" { // it contains only random ids of deleted records
			continue
		}
		rest := ""
		if table == "public.jobs" {
			rest = " WHERE run_at < now() + interval '1 hour'"
		}
		var rows []string
		is.NoErr(db.SelectContext(t.Context(), &rows, `SELECT t::text FROM `+table+` t`+rest))
		b.WriteString(table + "\n" + strings.Join(rows, "\n") + "\n")
	}
	return b.String()
}
