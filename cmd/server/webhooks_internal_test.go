package server

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/change"
)

// In memory, documents are written by turns on half of the processors. With a database they are not.
func TestDocumentsAreWrittenByTurns(t *testing.T) {
	const documents = 16
	for store, most := range map[Store]int64{Memory: int64(max(1, runtime.GOMAXPROCS(0)/2)), Postgres: documents} {
		var running, peak atomic.Int64
		write := newWebhookTurns().documents(store, func(context.Context, app.Actor, change.Change) ([]byte, error) {
			for n := running.Add(1); ; {
				if old := peak.Load(); n <= old || peak.CompareAndSwap(old, n) {
					break
				}
			}
			time.Sleep(20 * time.Millisecond)
			running.Add(-1)
			return []byte("{}"), nil
		})
		var all sync.WaitGroup
		for range documents {
			all.Go(func() {
				_, err := write(t.Context(), app.Actor{}, change.Change{})
				is.New(t).NoErr(err)
			})
		}
		all.Wait()
		is.New(t).Equal(peak.Load(), most)
	}
}
