package postgres_test

import (
	"testing"

	"lyceum/test/pgtest"
	"lyceum/test/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Backend {
		s := openStore(t, pgtest.DSN(t))
		return storetest.Backend{Store: s, Schools: s.Schools(), Queue: s.Queue()}
	})
}
