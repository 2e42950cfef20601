package change

import (
	"time"

	"lyceum/domain/query"
)

// Schema defines the attributes by which the change feed is filtered and sorted. The id of a change
// is its position.
var Schema = query.Define(
	query.IntegerField("uuid", func(c *Change) int64 { return c.Position }),
	query.TextField("action", func(c *Change) string { return string(c.Action) }),
	query.TimeField("changed_at", func(c *Change) time.Time { return c.At }),
	query.TextField("record.type", func(c *Change) string { return c.Record.Type }),
	query.TokenField("record.id", func(c *Change) string { return c.Record.ID }),
).OrderBy("uuid")
