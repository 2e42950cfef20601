package httpapi

import (
	"bytes"
	"testing"

	"github.com/matryer/is"
)

func TestSeal(t *testing.T) {
	is := is.New(t)
	ours, theirs := newSeal("lyc_ours"), newSeal("lyc_theirs")
	plain := []byte(`{"secret":"lyc_new"}`)
	closed, err := ours.close("k", plain)
	is.NoErr(err)
	is.True(!bytes.Contains(closed, []byte("lyc_new")))
	opened, err := ours.open("k", closed)
	is.NoErr(err)
	is.Equal(opened, plain)
	changed := bytes.Clone(closed)
	changed[len(changed)-1] ^= 1

	for name, open := range map[string]func() ([]byte, error){
		"another API key":         func() ([]byte, error) { return theirs.open("k", closed) },
		"another Idempotency-Key": func() ([]byte, error) { return ours.open("l", closed) },
		"too short":               func() ([]byte, error) { return ours.open("k", closed[:3]) },
		"changed":                 func() ([]byte, error) { return ours.open("k", changed) },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := open()
			is.True(err != nil)
		})
	}
}
