// Package policies_test has rules refuse, on every way into each decision of package
// policy: on each store, and through two instances at once. Rules that count hold
// exactly.
package policies_test

import (
	"testing"

	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
