package usecase_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
)

func TestSecrets(t *testing.T) {
	is := is.New(t)
	var s, same, other, none usecase.Secrets
	s.SetKey("a secret of the server")
	same.SetKey("a secret of the server")
	other.SetKey("another secret")

	sealed, err := s.Seal("s3cret", "school 1")
	is.NoErr(err)
	is.True(!strings.Contains(sealed, "s3cret"))
	again, err := s.Seal("s3cret", "school 1")
	is.NoErr(err)
	is.True(sealed != again) // equal secrets do not look equal
	plain, err := same.Open(sealed, "school 1")
	is.NoErr(err)
	is.Equal(plain, "s3cret")

	last := sealed[:len(sealed)-4] + "AAAA"
	for name, open := range map[string]func() (string, error){
		"another key":     func() (string, error) { return other.Open(sealed, "school 1") },
		"another purpose": func() (string, error) { return s.Open(sealed, "school 2") },
		"no key":          func() (string, error) { return none.Open(sealed, "school 1") },
		"a changed text":  func() (string, error) { return s.Open(last, "school 1") },
		"a plain text":    func() (string, error) { return s.Open("s3cret", "school 1") },
		"a short text":    func() (string, error) { return s.Open("v1:AA", "school 1") },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			plain, err := open()
			is.True(err != nil)
			is.Equal(plain, "")
		})
	}
	_, err = none.Seal("s3cret", "school 1")
	is.True(fault.Is(err, fault.Forbidden))
}
