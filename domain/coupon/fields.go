package coupon

import (
	"math/big"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of coupons are filtered, searched and sorted. It
// lacks CreatedAt and UpdatedAt, which documents do not show.
var Schema = query.Define(
	query.UUIDField("uuid", func(c *State) uuid.UUID { return c.ID.UUID }),
	query.TextField("code", func(c *State) string { return c.Code }).Searched(),
	query.TextField("currency_code", func(c *State) string { return c.Currency }),
	query.BooleanField("enabled", func(c *State) bool { return c.Enabled }),
	query.DateField("start_on", func(c *State) *time.Time { return &c.StartOn }),
	query.DateField("end_on", func(c *State) *time.Time { return c.EndOn }),
	query.TextField("format", func(c *State) string { return c.Format.String() }),
	query.OptionalNumber("value", func(c *State) *big.Rat { return c.Value.Rat() }),
	query.IntegerField("usages_count", func(c *State) int64 { return c.UsagesCount }),
	query.IntegerField("maximum_usages", func(c *State) int64 { return c.MaximumUsages }),
).OrderBy("code")
