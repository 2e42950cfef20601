package cli

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

func TestSchoolUpdateAndSignInLink(t *testing.T) {
	is := is.New(t)
	env := onPostgres(t, pgtest.Exclusive(t))
	must(t, env, "school", "create", "--name=Old & New", "--owner=ada@example.test")
	must(t, env, "school", "create", "--name=Other")
	is.True(strings.Contains(must(t, env, "school", "list"), "  old-new  "))
	secret := t.TempDir() + "/secret"
	is.NoErr(os.WriteFile(secret, []byte("5eed\n"), 0o600))
	provider := []string{
		"school", "update", "Old & New", "--slug=harbour", "--auth=open", "--public-covers", "--admits-new-people",
		"--issuer=https://login.example", "--client-id=lyceum", "--client-secret-file=" + secret,
	}
	code, _, stderr := lyceum(t, env, provider...)
	is.Equal(code, 1)
	is.True(strings.Contains(stderr, "its operator has not set server.secret")) // the secret would not be encrypted
	env["LYCEUM_SERVER_SECRET"] = strings.Repeat("s", 32)
	must(t, env, provider...)
	is.True(strings.Contains(must(t, env, "school", "list"), "  harbour  open  "))
	code, _, stderr = lyceum(t, env, "school", "update", "Other", "--slug=harbour")
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: slug: a school with the slug \"harbour\" already exists\n")

	url := start(t, env, "serve", free, "--files.dir="+t.TempDir()).line(t, greeting)
	link := must(t, env, "sign-in-link", "--school=Old & New", "--person=ada@example.test", "--base-url="+url)
	is.True(strings.HasPrefix(link, url+"/learn/harbour/sign-in/"))
	status, body, err := get(t.Context(), strings.TrimSpace(link), "")
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(body, "You are about to sign in as ada@example.test."))
	code, _, stderr = lyceum(t, env, "sign-in-link", "--school=Other", "--person=ada@example.test", "--base-url="+url)
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: person: no person has the address \"ada@example.test\"\n")
	code, _, stderr = lyceum(t, env, "sign-in-link", "--school=Other", "--person=ada@example.test")
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: base-url: is required, such as http://localhost:8080, because commands do not know the address of the server\n")
}
