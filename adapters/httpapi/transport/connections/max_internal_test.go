package connections

import (
	"testing"

	"github.com/matryer/is"
)

func TestMaxFor(t *testing.T) {
	is := is.New(t)
	for files, want := range map[uint64]int{0: 32, 256: 32, 1024: 384, 2048: 896, 16384: 4096, 1 << 20: 4096, 1<<64 - 1: 4096} {
		is.Equal(maxFor(files), want)
	}
}
