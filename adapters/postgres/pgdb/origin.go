package pgdb

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/ports"
)

// OriginSetting is the name of the setting from which the audit trail takes the origin of a
// transaction.
const OriginSetting = "lyceum.origin"

// OriginValue returns the value of OriginSetting for the origin of ctx; blank if it has none.
func OriginValue(ctx context.Context) string {
	o := ports.OriginOf(ctx)
	parts := [5]string{0: string(o.Type), 1: optionalID(o.ID), 2: optionalID(o.Person.UUID), 3: o.Request, 4: o.Address}
	return strings.TrimRight(strings.Join(parts[:], " "), " ")
}

func optionalID(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// setOrigin returns the statement, which begins with a semicolon, that records the origin of ctx
// until the end of the transaction. It is sent together with BEGIN, so it costs no round trip. It
// is blank if ctx has no origin. The statement is no SET, because pg_stat_statements would keep the
// address of the client and the ID of the person, in one entry for each request.
func setOrigin(ctx context.Context) string {
	value := OriginValue(ctx)
	if value == "" {
		return ""
	}
	return "; SELECT set_config('" + OriginSetting + "', " + pq.QuoteLiteral(value) + ", true)"
}
