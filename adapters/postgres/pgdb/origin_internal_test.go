package pgdb

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/audit"
	"lyceum/ports"
)

// pg_stat_statements replaces the values of queries and keeps those of other statements.
func TestOriginIsSetByAQuery(t *testing.T) {
	is := is.New(t)
	statement := setOrigin(ports.WithOrigin(t.Context(), audit.Origin{Address: "192.0.2.1"}))
	is.True(strings.HasPrefix(statement, "; SELECT "))
	is.True(strings.Contains(statement, "192.0.2.1"))
}
