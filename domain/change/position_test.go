package change_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/change"
)

func TestParsePosition(t *testing.T) {
	is := is.New(t)
	p := change.Feed{Store: uuid.New(), End: 4711}.Last()
	got, ok := change.ParsePosition(p.String())
	is.True(ok)
	is.Equal(got, p)
	for _, s := range []string{"", "4711", p.Store.String(), p.Store.String() + ":", p.Store.String() + ":-1", p.Store.String() + ":1:2", "x:1"} {
		_, ok := change.ParsePosition(s)
		is.True(!ok)
	}
}
