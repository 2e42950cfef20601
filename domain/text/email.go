package text

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxEmail is the maximum length of an email address, in characters (RFC 5321, section 4.5.3.1.3,
// less the angle brackets).
const MaxEmail = 254

// Email returns s without surrounding white space if it is a single address, such as
// ada@example.test, without a display name, comment or angle brackets. The part before the @ must
// satisfy RFC 5322 and may contain letters of any script; it may be quoted only where necessary.
// The part after the @ must be a host name, possibly with a single label, and must not be an IP
// address in brackets. No part may contain invisible characters. Upper and lower case are
// preserved; UniqueKey decides uniqueness.
func Email(field, s string) (string, error) {
	s = strings.TrimSpace(s)
	if err := CheckText(field, s); err != nil {
		return "", err
	}
	if s == "" {
		return "", fault.Blank(field)
	}
	if utf8.RuneCountInString(s) > MaxEmail || len(Fold(s)) > MaxFold || len(UniqueKey(s)) > MaxFold {
		return "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxEmail)
	}
	if !isAddress(s) {
		return "", fault.Invalidf(field, "is not a valid email address")
	}
	return s, nil
}

func isAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	if err != nil || (&mail.Address{Address: a.Address}).String() != "<"+s+">" {
		return false
	}
	if strings.ContainsFunc(s, hiddenInAddress) {
		return false
	}
	return isHost(s[strings.LastIndexByte(s, '@')+1:])
}

// hiddenInAddress reports whether r does not show in an address. Mail servers drop many of these
// characters (UTS 46, section 4), so that two addresses with them would be one mailbox.
func hiddenInAddress(r rune) bool {
	return r != ' ' && unicode.IsSpace(r) || !unicode.IsGraphic(r) || isInvisible(r) || unicode.Is(unicode.Variation_Selector, r)
}

// isHost reports whether s consists of labels joined by dots. A label consists of letters, marks,
// digits and, except at its ends, hyphens.
func isHost(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, r := range label {
			if r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
				return false
			}
		}
	}
	return true
}
