package transfer_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

const token = "0123456789abcdef0123456789abcdef01234567"

// withNewSchoolFields returns smallSchool with the fields and lines that take effect only in a new
// school. The line of its submission contains the text of the file.
func withNewSchoolFields(id uuid.UUID, secret, token string) string {
	text := replaceLine(4, `{"kind":"person","email":"ada@example.test","id":"`+id.String()+`"}
{"kind":"invitation","person":"ada@example.test","token":"`+token+`","created_at":"2026-02-01T10:00:00Z","expires_at":"2126-02-01T10:00:00Z"}
{"kind":"api_key","id":"`+id.String()+`","name":"Reader","scope":"read","secret":"`+secret+`"}`)
	text = strings.Replace(text, `"size":3}`, `"text":"abc"}`, 1)
	text = strings.Replace(text, `{"kind":"part","data":"YWJj"}`, "", 1)
	return strings.Replace(renamed(text, unique("New")), `"format":1`, `"format":1,"id":"`+id.String()+`"`, 1)
}

// newSecrets returns an id, an API key and a token that no record has.
func newSecrets() (uuid.UUID, string, string) {
	id := uuid.New()
	hex := strings.ReplaceAll(id.String(), "-", "")
	return id, school.EncodeSecret(append(id[:], make([]byte, school.SecretBytes)...)[:school.SecretBytes]), hex + "00000000"
}

// TestIDsAndSecretsOfNewSchool checks that a new school gets the ids, API keys and invitations of
// its file, and that an existing school does not.
func TestIDsAndSecretsOfNewSchool(t *testing.T) {
	for name, h := range map[string]useCases{"memory": inMemory(), "postgres": onPostgres(t)} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			id, secret, token := newSecrets()
			text := withNewSchoolFields(id, secret, token)
			made, err := h.Transfers.ImportNew(t.Context(), reading(text))
			is.NoErr(err)
			is.Equal(made.School.ID.UUID, id)
			who, err := h.Auth.Authenticate(t.Context(), secret)
			is.NoErr(err)
			is.Equal(who.School(), made.School.ID)
			is.True(who.Require(school.Read) == nil && who.Require(school.Write) != nil)
			ada, err := h.People.Get(t.Context(), who, person.ID{UUID: id})
			is.NoErr(err)
			is.Equal(ada.Email, "ada@example.test")
			link, err := h.Invitations.Link(t.Context(), token)
			is.NoErr(err)
			shown, err := h.Invitations.ByLink(t.Context(), link)
			is.NoErr(err)
			is.Equal(shown.Person.ID, ada.ID)
			asked, err := h.Invitations.Get(t.Context(), who, ada.ID)
			is.NoErr(err)
			is.Equal(asked.RequestedAt, time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC))
			is.True(strings.Contains(h.export(t, made.School.ID), `{"kind":"part","data":"YWJj"}`))

			other, err := h.Provision.CreateSchool(t.Context(), unique("Other"), school.Open, "")
			is.NoErr(err)
			another, unused, unsent := newSecrets()
			text = strings.NewReplacer(id.String(), another.String(), secret, unused, token, unsent).Replace(text)
			_, err = h.Transfers.Import(t.Context(), app.SystemActor(other.ID), reading(text))
			is.NoErr(err)
			_, err = h.Auth.Authenticate(t.Context(), unused)
			is.True(err != nil)
			_, err = h.Invitations.Link(t.Context(), unsent)
			is.True(err != nil)
			people, err := h.People.List(t.Context(), app.SystemActor(other.ID), query.Query{Page: query.AllRows()})
			is.NoErr(err)
			is.Equal(len(people.Items), 2)
			is.True(people.Items[0].ID.UUID != another && people.Items[1].ID.UUID != another)
		})
	}
}

// TestNewSchoolReportsTakenValues checks that faults about ids, keys and tokens that are already
// taken name their lines.
func TestNewSchoolReportsTakenValues(t *testing.T) {
	for name, h := range map[string]useCases{"memory": inMemory(), "postgres": onPostgres(t)} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			id, secret, token := newSecrets()
			_, err := h.Transfers.ImportNew(t.Context(), reading(withNewSchoolFields(id, secret, token)))
			is.NoErr(err)
			text := strings.Replace(withNewSchoolFields(uuid.New(), secret, token), `"bob@example.test"`, `"bob@example.test","id":"ID"`, 1)
			head, rest, _ := strings.Cut(text, "\n")
			_, theirs, _ := strings.Cut(rest, `"id":"`)
			theirs, _, _ = strings.Cut(theirs, `"`)
			_, err = h.Transfers.ImportNew(t.Context(), reading(strings.Replace(text, `"ID"`, `"`+theirs+`"`, 1)))
			var faults transfer.ImportErrors
			is.True(errors.As(err, &faults))
			is.Equal(err.Error(), "line 5: invitation: token: is already used by another invitation\n"+
				"line 6: api_key: secret: is already used by another key\nline 7: person: id: is already used in line 4")
			head = strings.Replace(head, theirs, id.String(), 1)
			_, err = h.Transfers.ImportNew(t.Context(), reading(head+"\n"+rest))
			is.Equal(err.Error(), "line 1: school: id: is already used by another school")
			other, otherSecret, otherToken := newSecrets()
			text = withNewSchoolFields(other, otherSecret, otherToken)
			_, err = h.Transfers.ImportNew(t.Context(), reading(strings.Replace(text, `"api_key","id":"`+other.String(), `"api_key","id":"`+id.String(), 1)))
			is.Equal(err.Error(), "line 6: api_key: id: is already used by another key")
		})
	}
}
