package fake_test

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/test/kit/fake"
)

func TestClock(t *testing.T) {
	t.Run("starts in UTC at a whole millisecond", func(t *testing.T) {
		is := is.New(t)
		zone := time.FixedZone("two hours east", 2*60*60)
		c := fake.NewClock(time.Date(2026, 5, 1, 1, 0, 0, 123_999_999, zone))
		is.Equal(c.Now(), time.Date(2026, 4, 30, 23, 0, 0, 123_000_000, time.UTC))
	})

	t.Run("changes only when it is advanced", func(t *testing.T) {
		is := is.New(t)
		c := fake.NewClock(fake.Start)
		is.Equal(c.Now(), fake.Start)
		is.Equal(c.Now(), fake.Start)
		is.Equal(c.Advance(time.Minute), fake.Start.Add(time.Minute))
		is.Equal(c.Now(), fake.Start.Add(time.Minute))
		is.Equal(c.Advance(-time.Hour), fake.Start.Add(-59*time.Minute))
	})

	t.Run("advances by whole milliseconds", func(t *testing.T) {
		is := is.New(t)
		c := fake.NewClock(fake.Start)
		is.Equal(c.Advance(1999*time.Microsecond), fake.Start.Add(time.Millisecond))
	})
}

func TestIDsNew(t *testing.T) {
	t.Run("counts", func(t *testing.T) {
		is := is.New(t)
		ids := fake.NewIDs()
		is.Equal(ids.New().String(), "00000000-0000-7000-8000-000000000001")
		is.Equal(ids.New().String(), "00000000-0000-7000-8000-000000000002")
	})

	t.Run("returns version 7 of the usual variant", func(t *testing.T) {
		is := is.New(t)
		id := fake.NewIDs().New()
		is.Equal(id.Version(), uuid.Version(7))
		is.Equal(id.Variant(), uuid.RFC4122)
	})

	t.Run("ascends and never repeats", func(t *testing.T) {
		is := is.New(t)
		ids := fake.NewIDs()
		last := ids.New()
		for range 1000 {
			next := ids.New()
			is.True(bytes.Compare(last[:], next[:]) < 0)
			last = next
		}
	})

	t.Run("never repeats for several goroutines", func(t *testing.T) {
		is := is.New(t)
		const workers, each = 8, 100
		ids := fake.NewIDs()
		made := make(chan uuid.UUID, workers*each)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for range each {
					made <- ids.New()
				}
			})
		}
		wg.Wait()
		close(made)
		seen := map[uuid.UUID]bool{}
		for id := range made {
			seen[id] = true
		}
		is.Equal(len(seen), workers*each)
	})
}

func TestIDsRandom(t *testing.T) {
	is := is.New(t)
	a, b := fake.NewIDs(), fake.NewIDs()
	first, second := a.Random(23), a.Random(23)
	is.Equal(len(first), 23)
	is.True(!bytes.Equal(first, second))      // the second call continues the sequence
	is.True(bytes.Equal(first, b.Random(23))) // every IDs returns the same sequence
	is.Equal(len(a.Random(0)), 0)
}
