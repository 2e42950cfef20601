package text

import (
	"strings"

	"lyceum/domain/fault"
)

// TokenBytes is the number of random bytes in the token of a link. The token has two hexadecimal
// digits for each byte.
const TokenBytes = 20

// IsToken reports whether s has the form of the token of a link: 40 lowercase hexadecimal digits.
func IsToken(s string) bool {
	return len(s) == 2*TokenBytes && strings.Trim(s, "0123456789abcdef") == ""
}

// Token returns a fault on field unless s is a token (IsToken).
func Token(field, s string) error {
	if !IsToken(s) {
		return fault.Invalidf(field, "must be %d lowercase hexadecimal digits", 2*TokenBytes)
	}
	return nil
}
