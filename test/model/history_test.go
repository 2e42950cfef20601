package model_test

import (
	"testing"

	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
	"lyceum/test/model"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestMemory(t *testing.T) { model.Run(t, stores.Memory()) }

func TestPostgres(t *testing.T) { model.Run(t, stores.Postgres(t, pgtest.DSN(t), 8)) }
