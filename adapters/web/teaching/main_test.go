package teaching_test

import (
	"testing"

	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
