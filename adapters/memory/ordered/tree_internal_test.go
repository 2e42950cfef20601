package ordered

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"
)

// These tests are internal because only timing would show from outside whether a page is found
// without a scan.

func TestFromJumpsToTheRank(t *testing.T) {
	const length = 100_000
	compared := 0
	tree := NewTree(func(a, b int) int {
		compared++
		return cmp.Compare(a, b)
	})
	for _, n := range rand.New(rand.NewPCG(1, 2)).Perm(length) {
		tree.Set(n)
	}
	for _, rank := range []int{0, 1, 50_000, length - 1, length} {
		is := is.New(t)
		compared = 0
		var page []int
		visited := 0
		for n := range From(tree, rank) {
			if visited++; visited > 25 {
				break
			}
			page = append(page, n)
		}
		want := min(25, length-rank)
		is.Equal(len(page), want)
		for i, n := range page {
			is.Equal(n, rank+i)
		}
		is.True(compared < 100) // a lookup, not a scan
	}
}

func TestCopyIsIndependent(t *testing.T) {
	is := is.New(t)
	original := NewDict[int, string](cmp.Compare[int])
	for n := range 10_000 {
		original.Set(n, "old")
	}
	changed := original.Copy()
	for n := range 10_000 {
		if n%2 == 0 {
			changed.Set(n, "new")
		} else {
			changed.Remove(n)
		}
	}
	for n := range 10_000 {
		got, ok := original.Get(n)
		is.True(ok)
		is.Equal(got, "old")
	}
	is.Equal(len(slices.Collect(changed.From(0))), 5_000)
}

func TestFirst(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := rapid.SliceOf(rapid.IntRange(0, 50)).Draw(rt, "all")
		n := rapid.IntRange(1, 20).Draw(rt, "n")
		got := slices.Collect(first(n, slices.Values(all), cmp.Compare[int]))
		want := slices.Sorted(slices.Values(all))
		want = want[:min(n, len(want))]
		if !slices.Equal(got, want) {
			rt.Fatalf("first %d of %v: %v", n, all, got)
		}
	})
}
