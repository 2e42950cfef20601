package cli

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// An operator creates the secret of entry links, or a client sets it. The server accepts links that
// are signed with it, and no table contains it.
func TestEntrySecret(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.Exclusive(t)
	env := onPostgres(t, dsn)
	must(t, env, "school", "create", "--name=Harbour")
	must(t, env, "school", "update", "Harbour", "--auth=url")
	key := must(t, env, "key", "create", "--school=Harbour")
	code, stdout, stderr := lyceum(t, env, "school", "entry-secret", "Harbour")
	is.Equal(code, 1)
	is.Equal(stdout, "")
	is.Equal(stderr, "lyceum: This server cannot save secrets, because its operator has not set server.secret\n")
	short := write(t, "secret", "x")
	code, _, stderr = lyceum(t, env, "school", "entry-secret", "Harbour", "--server.secret-file="+short)
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: server.secret: must have at least 32 characters\n")

	env["LYCEUM_SERVER_SECRET"] = strings.Repeat("s", 32)
	server := start(t, env, "serve", free).line(t, greeting)
	first := must(t, env, "school", "entry-secret", "Harbour")
	second := must(t, env, "school", "entry-secret", "Harbour")
	is.Equal(len(second), 64)
	is.True(first != second)
	is.Equal(enter(t, server, second, "nonce of link 001"), http.StatusSeeOther)
	is.Equal(enter(t, server, first, "nonce of link 002"), http.StatusGone)
	tables := contents(t, dsn)
	is.True(strings.Contains(tables, "v1:"))
	is.True(!strings.Contains(tables, first) && !strings.Contains(tables, second))

	own := strings.Repeat("5eed ~", 8)
	status, body, err := ask(t.Context(), http.MethodPatch, server+"/v2/school", key, `{"data":{"attributes":{"entry_secret":"`+own+`"}}}`)
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
	is.True(!strings.Contains(body, "5eed"))
	is.Equal(enter(t, server, own, "nonce of link 003"), http.StatusSeeOther)
	is.Equal(enter(t, server, second, "nonce of link 004"), http.StatusGone)
	is.True(!strings.Contains(contents(t, dsn), "5eed"))
}

// enter follows a link that is signed as docs/academy.md describes, and returns the status.
func enter(t *testing.T, server, secret, nonce string) int {
	t.Helper()
	const email = "ada@example.test"
	expires := strconv.FormatInt(time.Now().Add(time.Minute).Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(email + "\n\n\n\n" + nonce + "\n" + expires))
	values := url.Values{"email": {email}, "nonce": {nonce}, "expires": {expires}, "signature": {hex.EncodeToString(mac.Sum(nil))}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server+"/learn/harbour/enter?"+values.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// contents returns the rows of all tables as text.
func contents(t *testing.T, dsn string) string {
	t.Helper()
	is := is.New(t)
	db, err := sql.Open("postgres", dsn)
	is.NoErr(err)
	defer func() { is.NoErr(db.Close()) }()
	var all string
	is.NoErr(db.QueryRowContext(t.Context(), `SELECT database_to_xml(false, false, '')::text`).Scan(&all))
	is.True(strings.Contains(all, "<slug>harbour</slug>"))
	return all
}
