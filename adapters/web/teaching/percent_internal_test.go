package teaching

import (
	"strconv"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/event"
)

func TestPercent(t *testing.T) {
	is := is.New(t)
	for whole := range 101 {
		is.Equal(percent(event.Fraction(whole*10_000)), strconv.Itoa(whole))
	}
	is.Equal(percent(999_999), "99") // not all of it
}
