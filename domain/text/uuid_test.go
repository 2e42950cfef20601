package text_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/text"
)

func TestUUID(t *testing.T) {
	want := uuid.MustParse("018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10")
	for in, ok := range map[string]bool{
		"018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10":          true,
		"018F6F5E-7C1A-7B3E-9D55-0F5B6A2C1D10":          true,
		"018f6f5e7c1a7b3e9d550f5b6a2c1d10":              false, // can be a permalink
		"{018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10}":        false,
		"urn:uuid:018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10": false,
		"018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d1g":          false,
		"018f6f5e-7c1a-7b3e-9d55_0f5b6a2c1d10":          false,
		"":                                              false,
	} {
		is := is.New(t)
		id, valid := text.UUID(in)
		is.Equal(valid, ok) // whether in is a UUID
		if ok {
			is.Equal(id, want)
		}
	}
}
