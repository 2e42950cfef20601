package text_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/text"
	"pgregory.net/rapid"
)

func TestGuardFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "Ada": "Ada", "a=b": "a=b", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\tx": "'\tx", "＝1": "'＝1",
		"'=1": "''=1", "a;=1": "a;'=1", `a; "=1`: `a; "'=1`, "'a": "'a",
	} {
		t.Run(cell, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.GuardFormula(cell), want)
		})
	}
}

func TestUnguardFormulaIsInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOf(rapid.SampledFrom([]rune("a'=+-@＝;\" \t\r"))).Draw(t, "cell")
		if got := text.UnguardFormula(text.GuardFormula(cell)); got != cell {
			t.Fatalf("got %q, want %q", got, cell)
		}
	})
}
