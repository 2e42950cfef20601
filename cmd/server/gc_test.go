package server_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/cmd/server"
)

func TestGCSettings(t *testing.T) {
	for _, tt := range []struct {
		name        string
		store       server.Store
		gogc, limit string
		percent     int
		bytes       int64
	}{
		{"records elsewhere", server.Postgres, "", "", 400, 0},
		{"records in memory", server.Memory, "", "", 400, 4 << 30},
		{"the operator has said how often", server.Memory, "50", "", 0, 0},
		{"the operator has said how much", server.Memory, "", "1GiB", 400, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			percent, bytes := server.GCSettings(tt.store, tt.gogc, tt.limit)
			is.Equal(percent, tt.percent)
			is.Equal(bytes, tt.bytes)
		})
	}
}

// The memory limit is always well above the live heap.
func TestMemoryLimit(t *testing.T) {
	is := is.New(t)
	is.Equal(server.MemoryLimit(0), int64(4<<30))
	is.Equal(server.MemoryLimit(2<<30), int64(4<<30))
	is.Equal(server.MemoryLimit(4<<30), int64(6<<30))
	is.Equal(server.MemoryLimit(8<<30), int64(12<<30))
}
