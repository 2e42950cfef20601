package coupon_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
)

func TestParseFormat(t *testing.T) {
	for _, f := range []coupon.Format{coupon.Fixed, coupon.Percentage} {
		t.Run(f.String(), func(t *testing.T) {
			is := is.New(t)
			parsed, err := coupon.ParseFormat(f.String())
			is.NoErr(err)
			is.Equal(parsed, f)
		})
	}
	for _, name := range []string{"", " ", "Fixed", "percent"} {
		t.Run("not "+name, func(t *testing.T) {
			is := is.New(t)
			_, err := coupon.ParseFormat(name)
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fields(err), []string{"format"})
		})
	}
}
