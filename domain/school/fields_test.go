package school_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/test/conformance/schematest"
)

func TestKeySchema(t *testing.T) {
	is := is.New(t)
	used, expires := now.Add(time.Minute), now.Add(2*time.Minute)
	k := school.Key{
		ID: school.KeyID{UUID: uuid.UUID{15: 1}}, Name: "Website", Scope: school.Write, Prefix: "lyc_abcd",
		CreatedAt: now, LastUsed: &used, ExpiresAt: &expires, RevokedAt: &laterTime,
	}
	schematest.Attributes(t, school.KeySchema, k, map[string]string{
		"uuid":         "00000000-0000-0000-0000-000000000001",
		"name":         "Website",
		"scope":        "write",
		"prefix":       "lyc_abcd",
		"created_at":   "2026-01-31T15:04:05.123Z",
		"last_used_at": "2026-01-31T15:05:05.123Z",
		"expires_at":   "2026-01-31T15:06:05.123Z",
		"revoked_at":   "2026-01-31T16:04:05.123Z",
	})
	schematest.Search(t, school.KeySchema, k, []string{"EBSIT"}, []string{"write", "lyc"})
	is.Equal(schematest.Order(school.KeySchema), "-created_at")
}
