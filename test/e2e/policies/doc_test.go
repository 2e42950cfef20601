// Package policies_test tests that a rule applies to every request that causes a decision of
// package policy, on each store and on two instances. It also tests that rules with counts are
// exact.
package policies_test

import (
	"testing"

	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
