package apitest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"
	links "lyceum/test/tools/crawl"
)

// listDigests requests the first page of each list: filtered by each attribute, in each order, and
// with searches. One golden file contains the digests of all responses, so both stores must return
// the same bytes.
func listDigests(t *testing.T, s *server) {
	is := is.New(t)
	questions, err := links.Walker{URL: s.url, Key: s.key, Sample: 3}.Queries(t.Context())
	is.NoErr(err)
	digests := map[string]string{}
	for _, q := range questions {
		a := s.get(t, q.String())
		if a.status != 200 {
			t.Errorf("%s: %d: %s", q, a.status, a.body)
		}
		if q.Known && strings.HasSuffix(a.body, `"data":[]}`) {
			t.Errorf("%s: does not find a row that is there", q)
		}
		if strings.HasPrefix(q.String(), changesPath) || strings.HasPrefix(q.String(), auditPath) {
			continue // the store assigns their ids and times
		}
		sum := sha256.Sum256([]byte(a.body))
		digests[q.String()] = hex.EncodeToString(sum[:8])
	}
	is.True(len(digests) > 500)
	all, err := json.Marshal(digests)
	is.NoErr(err)
	compare(t, "digests", string(all))
}
