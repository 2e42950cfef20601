package signin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/signin"
)

func TestEntry(t *testing.T) {
	is := is.New(t)
	valid := signin.Entry{
		Email: "ada@example.test", FirstName: "Ada", LastName: "Lovelace", Return: "/courses", Nonce: "0123456789abcdef", Expires: now.Add(time.Minute).Unix(),
	}
	// docs/academy.md shows how to compute the signature with openssl.
	signature := valid.Sign("5eed")
	is.Equal(len(signature), 64)
	is.NoErr(valid.Check("5eed", signature, now))
	is.NoErr(valid.Check("5eed", strings.ToUpper(signature), now))
	for name, change := range map[string]func(e *signin.Entry){
		"another address":       func(e *signin.Entry) { e.Email = "eve@example.test" },
		"another first name":    func(e *signin.Entry) { e.FirstName = "Eve" },
		"another last name":     func(e *signin.Entry) { e.LastName = "" },
		"another return":        func(e *signin.Entry) { e.Return = "" },
		"another nonce":         func(e *signin.Entry) { e.Nonce += "0" },
		"another expiry":        func(e *signin.Entry) { e.Expires++ },
		"a value moved":         func(e *signin.Entry) { e.FirstName, e.LastName = "Ada\nLovelace", "" },
		"a value with its line": func(e *signin.Entry) { e.Email, e.FirstName, e.LastName = "ada@example.test\nAda", "Lovelace", "" },
	} {
		e := valid
		change(&e)
		is.True(fault.Is(e.Check("5eed", signature, now), fault.Gone)) // the changed entry does not match the signature
		_ = name
	}
	is.True(fault.Is(valid.Check("other", signature, now), fault.Gone))
	is.True(fault.Is(valid.Check("", valid.Sign(""), now), fault.Gone)) // a school without a secret
	is.True(fault.Is(valid.Check("5eed", "", now), fault.Gone))
	is.True(fault.Is(valid.Check("5eed", signature, now.Add(time.Minute)), fault.Gone))
	for _, wrong := range []signin.Entry{
		{Email: "ada@example.test", Nonce: "short", Expires: valid.Expires},
		{Email: "ada@example.test", Nonce: valid.Nonce, Expires: now.Add(signin.MaxEntryLifetime + time.Second).Unix()},
		{Email: "ada@example.test", Nonce: valid.Nonce + "\n", Expires: valid.Expires},
	} {
		is.True(fault.Is(wrong.Check("5eed", wrong.Sign("5eed"), now), fault.Gone))
	}
}
