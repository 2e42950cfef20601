package derived

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/reconcile"
)

func TestEveryDerivedValueHasDerivation(t *testing.T) {
	is := is.New(t)
	var values []reconcile.Value
	for _, d := range derivations {
		values = append(values, d.values...)
	}
	is.Equal(values, reconcile.Derived())
}
