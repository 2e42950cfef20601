package mail

import (
	"encoding/base64"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unlinked returns the name of a person or a school as text that a mail client
// does not take for a web or email address: a space parts what would be one. A
// dot within a number stays as it is.
func unlinked(name string) string {
	runes := []rune(strings.ReplaceAll(name, "://", ": "))
	var b strings.Builder
	for i, r := range runes {
		b.WriteRune(r)
		if i == 0 || i == len(runes)-1 || !strings.ContainsRune("@＠.．。｡", r) {
			continue
		}
		before, after := runes[i-1], runes[i+1]
		number := unicode.IsDigit(before) && unicode.IsDigit(after)
		if !unicode.IsSpace(before) && !unicode.IsSpace(after) && !number {
			b.WriteRune(' ')
		}
	}
	return b.String()
}

// plainHeader reports whether a text can be in a header as it is: readers would
// decode what looks like an encoded word, and differ about a backslash.
func plainHeader(s string) bool {
	return isASCII(s) && !strings.Contains(s, "=?") && !strings.Contains(s, `\`)
}

// encoded returns s as encoded words of RFC 2047, folded.
func encoded(s string) string {
	const most = 45 // bytes in one word, which has 75 characters at most
	var words []string
	for s != "" {
		n := 0
		for n < len(s) {
			_, size := utf8.DecodeRuneInString(s[n:])
			if n+size > most {
				break
			}
			n += size
		}
		words = append(words, "=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(s[:n]))+"?=")
		s = s[n:]
	}
	return strings.Join(words, "\r\n ")
}

// headerText returns s as a header such as Subject has it.
func headerText(s string) string {
	if plainHeader(s) {
		return s
	}
	return encoded(s)
}

// headerAddress returns an address with its name as From and To have it.
func headerAddress(a mail.Address) string {
	bare := mail.Address{Address: a.Address}
	if plainHeader(a.Name) || a.Name == "" {
		return a.String()
	}
	return encoded(a.Name) + "\r\n " + bare.String()
}
