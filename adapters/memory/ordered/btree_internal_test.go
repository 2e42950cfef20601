package ordered

import (
	"cmp"
	"slices"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"
)

// These tests are internal because the structure of a tree is not visible from outside.

// TestBtreeMatchesASlice compares trees, and copies of them, with sorted slices.
func TestBtreeMatchesASlice(t *testing.T) {
	type model struct {
		tree *btree[int]
		want []int
	}
	rapid.Check(t, func(rt *rapid.T) {
		most := rapid.SampledFrom([]int{10, 200, 20_000}).Draw(rt, "most")
		value := rapid.IntRange(0, most)
		models := []model{{tree: newBtree(cmp.Compare[int])}}
		set := func(m *model, e int) {
			m.tree.set(e)
			if i, found := slices.BinarySearch(m.want, e); !found {
				m.want = slices.Insert(slices.Clip(m.want), i, e)
			}
		}
		remove := func(m *model, e int) {
			_, ok := m.tree.delete(m.tree.of(e))
			i, found := slices.BinarySearch(m.want, e)
			if ok != found {
				rt.Fatalf("delete of %d: %v, want %v", e, ok, found)
			}
			if found {
				m.want = slices.Delete(slices.Clone(m.want), i, i+1)
			}
		}
		any := func() *model { return &models[rapid.IntRange(0, len(models)-1).Draw(rt, "model")] }
		rt.Repeat(map[string]func(*rapid.T){
			"set many": func(rt *rapid.T) {
				m, begin, n, step := any(), value.Draw(rt, "begin"), rapid.IntRange(1, 500).Draw(rt, "n"), rapid.SampledFrom([]int{-1, 1, 37}).Draw(rt, "step")
				for i := range n {
					set(m, begin+i*step)
				}
			},
			"delete many": func(rt *rapid.T) {
				m, begin, n, step := any(), value.Draw(rt, "begin"), rapid.IntRange(1, 500).Draw(rt, "n"), rapid.SampledFrom([]int{-1, 1, 37}).Draw(rt, "step")
				for i := range n {
					remove(m, begin+i*step)
				}
			},
			"copy": func(*rapid.T) {
				m := any()
				models = append(models, model{m.tree.copied(), slices.Clone(m.want)})
			},
			"": func(*rapid.T) {
				for _, m := range models {
					compareWithSlice(rt, m.tree, m.want, value.Draw(rt, "at"))
				}
			},
		})
	})
}

// compareWithSlice compares a tree with its elements in order.
func compareWithSlice(rt *rapid.T, tree *btree[int], want []int, e int) {
	rank, found := slices.BinarySearch(want, e)
	got, ok := tree.get(tree.of(e))
	if ok != found || found && got != e || tree.len() != len(want) || tree.rank(tree.of(e)) != rank {
		rt.Fatalf("get %d: %d, %v; length %d; rank %d", e, got, ok, tree.len(), tree.rank(tree.of(e)))
	}
	if rank < len(want) && tree.at(rank) != want[rank] {
		rt.Fatalf("at %d: %d, want %d", rank, tree.at(rank), want[rank])
	}
	if got := slices.Collect(tree.from(rank)); !slices.Equal(got, want[rank:]) {
		rt.Fatalf("from %d: %v, want %v", rank, got, want[rank:])
	}
	below := slices.Clone(want[:rank])
	slices.Reverse(below)
	if got := slices.Collect(tree.before(rank)); !slices.Equal(got, below) {
		rt.Fatalf("before %d: %v, want %v", rank, got, below)
	}
	checkNode(rt, tree.root, true)
}

// checkNode checks the size and the length of the nodes of a subtree, and returns its height.
func checkNode(rt *rapid.T, n *node[int], root bool) (height int) {
	length := len(n.items)
	if !n.isLeaf() && len(n.children) != len(n.items)+1 || len(n.items) > maxItems || !root && len(n.items) == 0 {
		rt.Fatalf("a node has %d items and %d children", len(n.items), len(n.children))
	}
	for i, child := range n.children {
		h := checkNode(rt, child, false)
		if length += child.length; i > 0 && h != height {
			rt.Fatalf("the leaves have different depths")
		}
		height = h
	}
	if n.length != length {
		rt.Fatalf("the length of a node is %d, want %d", n.length, length)
	}
	return height + 1
}

func TestOrderedInsertsLeaveFullNodes(t *testing.T) {
	const length = 100_000
	for name, of := range map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return -i },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			tree := newBtree(cmp.Compare[int])
			for i := range length {
				tree.set(of(i))
			}
			leaves := 0
			for _, parent := range tree.root.children {
				leaves += len(parent.children)
			}
			is.True(leaves <= length/(maxItems-2)+1)
		})
	}
}

func TestReadersOfACopyDoNotWrite(t *testing.T) {
	tree := newBtree(cmp.Compare[int])
	for n := range 10_000 {
		tree.set(n)
	}
	published := tree.copied()
	done := make(chan int)
	go func() {
		n := 0
		for range published.from(0) {
			n++
		}
		done <- n
	}()
	changed := published.copied()
	for n := range 10_000 {
		changed.delete(changed.of(n))
		tree.set(-n)
	}
	is.New(t).Equal(<-done, 10_000)
}
