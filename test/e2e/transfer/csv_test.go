package transfer_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/invitation"
)

func TestPeopleAsCSV(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, renamed(lines(smallSchool...), unique("Small")))
		text := "\uFEFFlast_name,email,groups,unsubscribed\r\n" +
			"Lovelace,ADA@example.test,Painters,\r\n\"Gra\"\"ce\", grace@example.test ,\"painters\",TRUE\r\n,bob@example.test,,\r\n"
		dryRun := reading(text)
		dryRun.DryRun = true
		before := h.export(t, id)
		dry, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), dryRun, true)
		is.NoErr(err)
		is.Equal(h.export(t, id), before)
		done, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), reading(text), true)
		is.NoErr(err)
		is.Equal(done.Kinds, []transfer.ImportCount{{Kind: "person", Created: 1, Changed: 1, Unchanged: 1}})
		is.Equal(dry.Kinds, done.Kinds)
		messages, err := h.Jobs.List(t.Context(), invitation.Kind)
		is.NoErr(err)
		is.True(len(messages) > 0) // invitation to grace, who is new
		after := h.export(t, id)
		is.True(strings.Contains(after, `"first_name":"Ada","last_name":"Lovelace"`)) // attributes without a column do not change
		is.True(strings.Contains(after, `{"kind":"enrollment","course":"drawing","person":"grace@example.test","role":"learner"`))
		is.Equal(differences(t, h, id), 0)

		var b bytes.Buffer
		is.NoErr(h.Transfers.ExportPeople(t.Context(), app.SystemActor(id), &b))
		is.Equal(b.String(), "email,first_name,last_name,custom_avatar_url,unsubscribed,groups\n"+
			"ADA@example.test,Ada,Lovelace,,false,Painters\nbob@example.test,,,,false,\n"+
			"grace@example.test,,\"Gra\"\"ce\",,true,Painters\n")
		again, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), reading(b.String()), false)
		is.NoErr(err)
		is.Equal(again.Kinds, []transfer.ImportCount{{Kind: "person", Unchanged: 3}})
		is.Equal(h.export(t, id), after)
	})
}

func TestInvalidCSV(t *testing.T) {
	h := inMemory()
	id := h.importSchool(t, lines(smallSchool...))
	before := h.export(t, id)
	for text, want := range map[string]string{
		"":                                     "line 1: the file is empty; its first line must name the columns",
		"mail,first_name\n":                    "line 1: unknown column \"mail\"; known columns: email, first_name, last_name, custom_avatar_url, unsubscribed, groups\nline 1: the column email is missing",
		"email,email\n":                        "line 1: duplicate column \"email\"",
		"email\nx@example.test,y\n":            "line 2: has 2 fields, but the first line has 1",
		"email,groups\nx@example.test,Poets\n": "line 2: groups: no group is named \"Poets\"",
		"email\nx@example.test\ninvalid\n":     "line 3: email: is not a valid email address",

		"email\nx@example.test\nX@example.test\n":    "line 3: email: duplicates the person in line 2",
		"email,unsubscribed\nx@example.test,maybe\n": "line 2: unsubscribed: must be true or false",

		"email,custom_avatar_url\nx@example.test,\nada@example.test,ftp\n": "line 3: custom_avatar_url: must be an absolute http or https URL",
		"email,first_name\nx@example.test,J\xf6rg\n":                       "line 2: first_name: is not valid UTF-8",

		"email\n\"x@example.test\n": "line 2: invalid CSV at column 17: extraneous or missing \" in quoted-field",
	} {
		t.Run(want, func(t *testing.T) {
			is := is.New(t)
			_, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), reading(text), false)
			is.True(err != nil)
			is.Equal(err.Error(), want)
			is.Equal(h.export(t, id), before)
		})
	}
}

// A missing quotation mark makes the rest of a file a cell. The import fails at the row with the
// mark, without reading the rest into memory.
func TestUnclosedQuotationMark(t *testing.T) {
	h := inMemory()
	id := h.importSchool(t, lines(smallSchool...))
	before := h.export(t, id)
	for name, tt := range map[string]struct{ start, want string }{
		"in a row":          {"email\nx@example.test\n\"y@example.test\n", "line 3: is longer than 1048576 bytes; a quotation mark may be missing"},
		"in the first line": {"\"email\n", "line 1: is longer than 1048576 bytes; a quotation mark may be missing"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			file := &endless{start: strings.NewReader(tt.start)}
			_, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), transfer.Import{
				Open: func() (io.ReadCloser, error) { return io.NopCloser(file), nil },
			}, false)
			is.True(err != nil)
			is.Equal(err.Error(), tt.want)
			is.True(file.read < 2<<20)
			is.Equal(h.export(t, id), before)
		})
	}
}

// endless is a file that never ends: start, and then rows.
type endless struct {
	start io.Reader
	read  int
}

func (e *endless) Read(b []byte) (int, error) {
	n, err := e.start.Read(b)
	if err != nil {
		n = copy(b, strings.Repeat("z@example.test\n", len(b)/15+1))
	}
	e.read += n
	return n, nil
}

// TestCellsAreNotFormulas checks that a spreadsheet does not interpret an exported cell as a
// formula, and that an import removes the guard that prevents this.
func TestCellsAreNotFormulas(t *testing.T) {
	h := inMemory()
	for name, cell := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "'=1": "''=1", "''-": "'''-",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠A1": "'＠A1", "'＝1": "''＝1",
		"a;=1": "a;'=1", "a;＝1;@b": "a;'＝1;'@b", "a; =1": "a; '=1", "a;'=1": "a;''=1", "=a;b": "'=a;b", "a;b": "a;b",
		"O'=1":     "O'=1",
		"'quoted'": "'quoted'", "'": "'",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			id := h.importSchool(t, renamed(lines(smallSchool[0], `{"kind":"person","email":"ada@example.test","first_name":"`+name+`"}`,
				`{"kind":"end"}`), unique("Small")))
			before := h.export(t, id)
			var b bytes.Buffer
			is.NoErr(h.Transfers.ExportPeople(t.Context(), app.SystemActor(id), &b))
			is.Equal(strings.Split(b.String(), "\n")[1], "ada@example.test,"+cell+",,,false,")
			again, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), reading(b.String()), false)
			is.NoErr(err)
			is.Equal(again.Kinds, []transfer.ImportCount{{Kind: "person", Unchanged: 1}})
			is.Equal(h.export(t, id), before)
		})
	}
}
