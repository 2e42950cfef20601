package school

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// KeyType is the resource type of API keys in documents.
const KeyType = "api_keys"

// KeySchema defines the attributes by which lists of API keys are filtered, searched and sorted.
var KeySchema = query.Define(
	query.UUIDField("uuid", func(k *Key) uuid.UUID { return k.ID.UUID }),
	query.TextField("name", func(k *Key) string { return k.Name }).Searched(),
	query.TextField("scope", func(k *Key) string { return k.Scope.String() }),
	query.TextField("prefix", func(k *Key) string { return k.Prefix }),
	query.TimeField("created_at", func(k *Key) time.Time { return k.CreatedAt }),
	query.OptionalTime("last_used_at", func(k *Key) *time.Time { return k.LastUsed }),
	query.OptionalTime("expires_at", func(k *Key) *time.Time { return k.ExpiresAt }),
	query.OptionalTime("revoked_at", func(k *Key) *time.Time { return k.RevokedAt }),
).OrderBy("-created_at")
