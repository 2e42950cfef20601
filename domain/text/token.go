package text

import (
	"strings"

	"lyceum/domain/fault"
)

// TokenBytes is how many random bytes the secret part of a link is made of; it
// is written as twice as many hex characters.
const TokenBytes = 20

// IsToken tells whether s has the form of the secret part of a link: 40
// lower-case hex digits.
func IsToken(s string) bool {
	return len(s) == 2*TokenBytes && strings.Trim(s, "0123456789abcdef") == ""
}

// Token refuses what is not the secret part of a link, see IsToken.
func Token(field, s string) error {
	if !IsToken(s) {
		return fault.Invalidf(field, "is not %d lower-case hex digits", 2*TokenBytes)
	}
	return nil
}
