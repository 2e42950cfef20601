package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/pgtest"
)

// Two processes on one database concurrently receive the same request many times, with one
// Idempotency-Key. The request must be executed once, and every client must get the same response,
// even from a process that starts later. The request redeems a coupon, so only the Idempotency-Key
// prevents a second redemption.
func TestIdempotentRequestOnTwoProcesses(t *testing.T) {
	is := is.New(t)
	const rounds, many = 3, 32
	dsn := pgtest.Exclusive(t)
	env := onPostgres(t, dsn)
	key := must(t, env, "key", "create", "--name=tests", "--school", must(t, env, "school", "create", "--name=Acme", "--owner=ada@example.test"))
	process := func() string {
		cmd, url := launch(t, "serve", free, "--store=postgres", "--database.url="+dsn, "--files.dir="+env["LYCEUM_FILES_DIR"],
			"--database.pool-size=6", "--worker.count=0")
		t.Cleanup(func() {
			_ = cmd.Process.Signal(syscall.SIGTERM)
			_ = cmd.Wait()
		})
		return url
	}
	servers := []string{process(), process()}

	status, coupon, err := post(t.Context(), servers[0]+"/v2/coupons", key, `{"data":{"type":"coupons","attributes":{"code":"SPRING",
		"currency_code":"EUR","format":"fixed","value":1,"start_on":"2026-01-01","maximum_usages":1000}}}`)
	is.NoErr(err)
	is.Equal(status, http.StatusCreated)
	_, people, err := get(t.Context(), servers[1]+"/v2/people", key)
	is.NoErr(err)
	path := "/v2/coupons/" + idIn(t, coupon) + "/redemptions"
	body := fmt.Sprintf(`{"data":{"relationships":{"person":{"data":{"type":"people","id":%q}}}}}`, idIn(t, people))

	repeat := func(url, under string) (string, bool) {
		answer, again, err := repeatable(t, url+path, key, under, body)
		if err != nil {
			t.Error(err)
		}
		return answer, again
	}
	for round := range rounds {
		under := fmt.Sprint("round ", round)
		answers, again := make([]string, many), make([]bool, many)
		begin := make(chan struct{})
		var wg sync.WaitGroup
		for i := range many {
			wg.Go(func() {
				<-begin
				answers[i], again[i] = repeat(servers[i%2], under)
			})
		}
		close(begin)
		wg.Wait()
		firsts := 0
		for i, answer := range answers {
			is.Equal(answer, answers[0])
			if !again[i] {
				firsts++
			}
		}
		is.Equal(firsts, 1)
		late, replayed := repeat(process(), under)
		is.Equal(late, answers[0])
		is.True(replayed)
	}
	_, uses, err := get(t.Context(), servers[0]+path, key)
	is.NoErr(err)
	is.Equal(strings.Count(uses, `"type":"coupon_redemptions"`), rounds)
	db := database(t, dsn)
	var counted int
	is.NoErr(db.QueryRowContext(t.Context(), `SELECT usages_count FROM coupons`).Scan(&counted))
	is.Equal(counted, rounds)
}

// repeatable sends a POST with an Idempotency-Key and expects the status 201. again reports whether
// the response was recorded by an earlier request.
func repeatable(t *testing.T, url, key, under, body string) (answer string, again bool, err error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return "", false, err
	}
	r.Close = true
	r.Header.Set("X-Api-Key", key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", under)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", false, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusCreated {
		err = fmt.Errorf("%s: %s", response.Status, text)
	}
	return string(text), response.Header.Get("Idempotent-Replayed") == "true", err
}

// idIn returns the ID of the resource in a document, or of the first resource if the document is a
// list.
func idIn(t *testing.T, document string) string {
	t.Helper()
	type resource struct{ ID string }
	var one struct{ Data resource }
	var list struct{ Data []resource }
	if json.Unmarshal([]byte(document), &list) == nil && len(list.Data) > 0 {
		return list.Data[0].ID
	}
	if err := json.Unmarshal([]byte(document), &one); err != nil {
		t.Fatal(err, document)
	}
	return one.Data.ID
}
