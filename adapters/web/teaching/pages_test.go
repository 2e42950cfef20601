package teaching_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/bulk"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/stores"
)

// upload sends a CSV file of people.
func (b *browser) upload(file string) page {
	b.t.Helper()
	is := is.New(b.t)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "people.csv")
	is.NoErr(err)
	_, err = io.WriteString(part, file)
	is.NoErr(err)
	is.NoErr(form.Close())
	return b.send(http.MethodPost, b.server.base+"/people/import", &body, form.FormDataContentType(), "same-origin")
}

// applyBulk applies all parts of bulk jobs.
func (s *server) applyBulk(t *testing.T) {
	t.Helper()
	for more := true; more; {
		var err error
		more, err = s.Bulk.ApplyNext(t.Context())
		is.New(t).NoErr(err)
	}
}

// A file is imported row by row. Rows with faults are named with their line.
func TestImportPeople(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, manager)
		for file, problem := range map[string]string{
			"":                  "The file is empty.",
			"name\nEve\n":       "unknown column name",
			"first_name\nEve\n": "there must be a column email",
			"email\n\"broken\n": "not valid CSV: line 2",
			"email\neve@example.test\n\"bob@example.test\ncarl@example.test\n":                             "not valid CSV: line 3",
			"email\neve@example.test\n\"" + strings.Repeat("bob@example.test\n", 30_000):                   "not valid CSV: line 3",
			"email\neve@example.test\n" + strings.Repeat(",", 500_000):                                     "not valid CSV: line 3",
			"email,groups\n" + strings.Repeat("eve@example.test,\""+strings.Repeat("a,", 400)+"\"\n", 251): "too many elements in total",
		} {
			p := b.upload(file)
			is.Equal(p.status, http.StatusUnprocessableEntity)
			is.True(p.has(problem))
		}
		p := b.upload("\uFEFFemail,first_name,last_name,groups\neve@example.test,Eve,Adams,\n,Dora,Dent,\nbob@example.test,Bob,,No such group\ncarl@example.test\n")
		is.Equal(p.status, http.StatusOK)
		is.True(strings.HasPrefix(p.path, "/imports/"))
		is.True(p.has("The import is running."))
		s.applyBulk(t)
		p = b.get(p.path)
		is.True(p.has("The import is complete.") && p.has("4 / 4"))
		for _, line := range []string{"<td>3</td>", "<td>4</td>", "<td>5</td>"} {
			is.True(p.has(line)) // the faulty line is named
		}
		is.True(!p.has("<td>2</td>"))
		is.True(p.has("<td>3</td><td>Email address can&#39;t be blank</td>"))
		b.language = "de"
		is.True(b.get(p.path).has("<td>3</td><td>E-Mail-Adresse darf nicht leer sein</td>"))
		b.language = "en"
		people := b.get("/people?q=eve")
		is.True(people.has("Eve Adams") && people.has("invited"))
		is.True(!b.get("/people?q=bob").has("bob@example.test"))
	})
}

// While very many rows of the school wait, a file is refused before it is read.
func TestImportIsRefusedBeforeItIsRead(t *testing.T) {
	is := is.New(t)
	s := newServer(t, func(*testing.T) stores.Backend { return stores.Memory() })
	actor, err := s.Auth.Authenticate(t.Context(), demo.Key)
	is.NoErr(err)
	for range 7 { // over a thousand parts of 100 rows
		_, err := s.Bulk.Accept(t.Context(), actor, bulk.People, make([]bulk.Row, 15_000))
		is.NoErr(err)
	}
	p := s.as(t, manager).upload("\"not valid CSV")
	is.Equal(p.status, http.StatusServiceUnavailable) // and not 422
}

// A row with a fault has no address by which the deletion of the person could find it, so the server
// stores no name of such a row, neither while the rows wait nor in the errors of the job.
func TestFaultyRowsOfAnImportHaveNoNames(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		var store ports.Store
		s := newServer(t, func(t *testing.T) stores.Backend {
			b := open(t)
			store = b.Store
			return b
		})
		p := s.as(t, manager).upload("email,first_name,last_name,groups\neve@example.test,Eve,Adams,\n" +
			",Dora,Dent,\ndora at example.test,Dora,Dent,\ndora@example.test,Dora,Dent," + strings.Repeat("g", 300) + "\n")
		is.Equal(p.status, http.StatusOK)
		var waiting []bulk.Part
		is.NoErr(store.InTx(t.Context(), demo.SchoolID, func(ctx context.Context, tx ports.Tx) (err error) {
			waiting, err = tx.Bulk.WaitingForUpdate(ctx, "eve@example.test")
			return err
		}))
		is.Equal(len(waiting), 1)
		is.Equal(len(waiting[0].Rows), 4)
		is.Equal(waiting[0].Rows[0].FirstName, "Eve")
		for _, r := range waiting[0].Rows[1:] {
			is.True(len(r.Errors) > 0)
			is.True(!strings.Contains(fmt.Sprint(r), "Dent"))
		}
	})
}

// The page about an import with very many errors shows the first 500 and the number of the others.
func TestErrorsOfAnImportAreLimited(t *testing.T) {
	is := is.New(t)
	s := newServer(t, func(*testing.T) stores.Backend { return stores.Memory() })
	b := s.as(t, manager)
	p := b.upload("email\n" + strings.Repeat("no address\n", 2000))
	is.Equal(p.status, http.StatusOK)
	s.applyBulk(t)
	p = b.get(p.path)
	is.Equal(strings.Count(p.body, "<tr><td>"), 500)
	is.True(p.has("<td>2</td>") && p.has("<td>501</td>") && !p.has("<td>502</td>"))
	is.True(p.has("<dd>2000</dd>") && p.has("<p>Further errors: 1500</p>"))
	is.True(len(p.body) < 100_000)
	b.language = "de"
	is.True(b.get(p.path).has("<p>Weitere Fehler: 1500</p>"))
}

// A file can have semicolons between its cells, as spreadsheets write it in some countries. The
// example can be imported once its groups exist.
func TestSeparatorsOfAnImport(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, manager)
		example := b.get("/people/import/example")
		is.True(strings.Contains(example.header.Get("Content-Disposition"), "people.csv"))
		for _, name := range []string{"Spring class", "Evening class"} {
			is.Equal(b.post("/groups", "name", name).status, http.StatusOK)
		}
		semicolons := b.upload("email;first_name;last_name;groups\neve@example.test;Eve;Adams;Spring class, Evening class\n")
		commas := b.upload(example.body)
		s.applyBulk(t)
		is.True(b.get(semicolons.path).has("<dd>1 / 1</dd>") && b.get(semicolons.path).has("<dd>1</dd>"))
		is.True(b.get(commas.path).has("<dd>3</dd>"))
		for _, name := range []string{"eve@example.test", "ben@example.org"} {
			is.True(b.get("/people?q=" + name).has("<td>2</td></tr>")) // groups
		}
	})
}

// The names of columns can be spelled in other ways. A person who is in the file twice is added once,
// and the sums of the page are those of the people.
func TestColumnsAndRepeatedRowsOfAnImport(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, manager)
		p := b.upload("E-Mail , First name,LAST_NAME\neve@example.test,Eve,Adams\nbob@example.test,Bob,Hill\nEVE@example.test,Eva,Other\n")
		is.Equal(p.status, http.StatusOK)
		s.applyBulk(t)
		p = b.get(p.path)
		is.True(p.has("<dt>Imported</dt><dd>2</dd><dt>Refused</dt><dd>1</dd>"))
		is.True(p.has("<td>4</td><td>Email address is already in line 2</td>"))
		is.True(b.get("/people?q=eve").has("Eve Adams"))
		is.True(b.upload("email,Email\neve@example.test,eve@example.test\n").has("two columns email"))
	})
}

// A file that is not UTF-8, or was damaged by a conversion, is refused.
func TestEncodingOfAnImport(t *testing.T) {
	for _, tt := range []struct{ name, file, problem string }{
		{"Windows-1252", "email;first_name\neve@example.test;Eve\njoerg@example.test;J\xf6rg\n", "The file is not UTF-8: line 3."},
		{"UTF-16", "\xff\xfee\x00m\x00a\x00i\x00l\x00\n\x00", "The file is not UTF-8: line 1."},
		{"converted", "email;first_name\njoerg@example.test;J�rg\n", "Line 2 contains the character �"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stores.Each(t, func(t *testing.T, open stores.Opener) {
				is := is.New(t)
				b := newServer(t, open).as(t, manager)
				p := b.upload(tt.file)
				is.Equal(p.status, http.StatusUnprocessableEntity)
				is.True(p.has(tt.problem))
				is.True(!b.get("/people?q=joerg").has("joerg@example.test"))
			})
		})
	}
}

// Lists are searched, filtered, sorted and read page by page.
func TestListOfPeople(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, names := s.as(t, owner), s.records(t)
		first := b.get("/people?sort=email")
		next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(first.body)
		is.Equal(len(next), 2)
		second := b.get("/people" + strings.ReplaceAll(next[1], "&amp;", "&"))
		is.True(second.has(`rel="prev"`))
		is.True(first.has("abigail.stone@example.test") != second.has("abigail.stone@example.test"))
		owners := b.get("/people?role=owner")
		is.True(owners.has(owner) && !owners.has(learner))
		inCourse := b.get("/people" + names.Replace("?course={own course}"))
		is.True(!inCourse.has(owner))
		is.True(b.get("/people?filter[email][eq]=" + learner).has(learner))
		for _, bad := range []string{"?cursor=x", "?sort=nothing", "?filter[nothing]=1", "?filter[email=1"} {
			is.Equal(b.get("/people"+bad).status, http.StatusBadRequest)
		}
	})
}

// The secret of a key is shown once.
func TestKeySecretIsShownOnce(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		p := b.post("/keys", "name", "Website", "scope", "read")
		secret := regexp.MustCompile(`lyc_[0-9A-Za-z]{36}`).FindString(p.body)
		is.True(secret != "")
		_, err := s.Auth.Authenticate(t.Context(), secret)
		is.NoErr(err)
		is.True(!b.get("/keys").has(secret))
		revoke := hrefs(p.body, "/revoke")
		is.True(len(revoke) > 0)
	})
}

// The dashboard contains the numbers of its plots as tables.
func TestDashboard(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		p := b.get("")
		is.Equal(strings.Count(p.body, "data-plot="), 4)
		is.True(p.has("Welcome to Riverside"))
		b.language = "de"
		is.True(b.get("").has("<h1>Übersicht</h1>"))
	})
}

// The dashboard of a new school says how to begin.
func TestDashboardOfANewSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		fresh, err := s.Provision.CreateSchool(t.Context(), "Fresh", school.Preregistration, owner)
		is.NoErr(err)
		s.base, s.academy = s.origin+"/app/"+fresh.Slug, s.origin+"/learn/"+fresh.Slug
		token, err := s.SignIns.CreateLink(t.Context(), fresh.ID, owner)
		is.NoErr(err)
		b := s.browser(t)
		p := b.send(http.MethodPost, s.academy+"/sign-in/"+token, nil, formType, "same-origin")
		is.Equal(p.path, "") // the app
		is.True(p.has("This school has no courses yet."))
	})
}

// published is the SHA-256 of dist/chart.umd.min.js in the version of chart.js in package.json.
// Update both together.
const (
	version   = "4.6.1"
	published = "87364cc2b2a76a6684929e7d6b80b18a897794db38400caff1fcf1791c6925d2"
)

func TestLibraryIsAsPublished(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		script := regexp.MustCompile(`src="(/app/-/chart\.js\?v=[0-9a-f]+)"`).FindStringSubmatch(b.get("").body)
		is.Equal(len(script), 2)
		p := b.send(http.MethodGet, s.origin+script[1], nil, "", "")
		sum := sha256.Sum256([]byte(p.body))
		is.Equal(hex.EncodeToString(sum[:]), published)
		is.Equal(p.header.Get("Cache-Control"), "public, max-age=31536000, immutable")
		is.Equal(b.send(http.MethodGet, s.origin+"/app/-/missing.js", nil, "", "").status, http.StatusNotFound)
	})
	var wanted struct{ Dependencies map[string]string }
	content, err := os.ReadFile("package.json")
	is := is.New(t)
	is.NoErr(err)
	is.NoErr(json.Unmarshal(content, &wanted))
	is.Equal(wanted.Dependencies["chart.js"], version)
}

// The page about a quiz that very many activities use shows the first hundred.
func TestUsagesOfAQuizAreLimited(t *testing.T) {
	is := is.New(t)
	s := newServer(t, func(*testing.T) stores.Backend { return stores.Memory() })
	lines := `{"kind":"school","format":1,"name":"Demo"}` + "\n" + `{"kind":"course","name":"Many","permalink":"many"}` + "\n"
	for i := range 120 {
		lines += fmt.Sprintf(`{"kind":"activity","course":"many","title":"Use %d","type":"quiz","quiz":"Exposure basics"}`+"\n", i)
	}
	lines += `{"kind":"end"}` + "\n"
	_, err := s.Transfers.Import(t.Context(), app.SystemActor(demo.SchoolID), transfer.Import{
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(lines)), nil },
	})
	is.NoErr(err)
	b := s.as(t, manager)
	const quizPage = "/quizzes/c17c3afd-ba74-54a2-b322-92fcc3adeff2"
	p := b.get(quizPage)
	is.Equal(strings.Count(p.body, "/builder/"), 100)
	is.True(p.has("<p>Further activities use it.</p>"))
	is.Equal(b.get(quizPage+"/builder").path, quizPage) // more than one activity uses it
}
