package stores

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Same runs read on each store, in parallel. It reports an error if the texts that read returns, by
// name, differ, or if there are fewer than least.
func Same(t *testing.T, least int, read func(t *testing.T, open Opener) map[string]string) {
	t.Helper()
	var (
		mu  sync.Mutex
		all []map[string]string // of each store
	)
	t.Run("read", func(t *testing.T) {
		Each(t, func(t *testing.T, open Opener) {
			texts := read(t, open)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, texts)
		})
	})
	if len(all) < 2 || len(all[0]) < least {
		t.Fatal("too few texts were read")
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(all[0])), slices.Sorted(maps.Keys(all[1]))); d != "" {
		t.Errorf("different names: %s", d)
	}
	for name, text := range all[0] {
		if d := cmp.Diff(strings.Split(text, "\n"), strings.Split(all[1][name], "\n")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
