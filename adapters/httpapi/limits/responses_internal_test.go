package limits

import (
	"math"
	"testing"

	"github.com/matryer/is"
)

func TestResponseBytes(t *testing.T) {
	for limit, want := range map[int64]int{
		math.MaxInt64: 256 << 20, // the program has no memory limit
		1 << 30:       128 << 20,
		64 << 20:      64 << 20,
	} {
		is.New(t).Equal(responseBytes(limit), want)
	}
}
