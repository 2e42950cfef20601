package jsonapi_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
)

// Timestamp writes the same text as time.Format.
func TestTimestamp(t *testing.T) {
	is := is.New(t)
	random := rand.New(rand.NewPCG(1, 2))
	east := time.FixedZone("", 5*3600+1800)
	times := []time.Time{{}, time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, east)}
	for range 10_000 {
		times = append(times, time.Unix(random.Int64N(400_000_000_000)-62_000_000_000, random.Int64N(1e9)).In(east))
	}
	for _, at := range times {
		is.Equal(jsonapi.Timestamp(at), at.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
}

func BenchmarkTimestamp(b *testing.B) {
	at := time.Date(2026, 11, 25, 23, 1, 2, 345_000_000, time.UTC)
	for b.Loop() {
		jsonapi.Timestamp(at)
	}
}
