package text

import (
	"strings"

	"lyceum/domain/fault"
)

// TokenBytes is how many random bytes the secret part of a link is made of; it
// is written as twice as many hex characters.
const TokenBytes = 20

// Token says whether s is the secret part of a link: 40 lower-case hex digits.
func Token(field, s string) error {
	if len(s) != 2*TokenBytes || strings.Trim(s, "0123456789abcdef") != "" {
		return fault.Invalidf(field, "is not %d lower-case hex digits", 2*TokenBytes)
	}
	return nil
}
