package mail

import (
	"encoding/base64"
	"net/mail"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// schemes matches what may be the scheme of a link. A link needs neither slashes nor a host name:
// mail clients follow http:1249763844, whose number is an IP address.
var schemes = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*:`)

// inclusive matches the rest of a word such as the German "Schüler:innen".
var inclusive = regexp.MustCompile(`^in(nen)?([\s,;!?)]|$)`)

// folders matches the beginning of a path on another computer, such as \\host.
var folders = regexp.MustCompile(`\\{2,}(\S)`)

// unlinked returns a name as text that mail clients do not turn into a link to a page, an address
// or a shared folder: it replaces "://" with ": ", and several backslashes with one and a space. It
// adds a space after the colon of anything that may be the scheme of a link, after at signs, and
// after dots that could separate the labels of a host name. It keeps the dot of a number such as
// 2.5, but not the dots of a text with several numbers, because that may be an IP address. Telephones
// may still offer to call a number.
func unlinked(name string) string {
	name = folders.ReplaceAllString(withoutSchemes(strings.ReplaceAll(name, "://", ": ")), `\ $1`)
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		b.WriteRune(r)
		if i == 0 || i == len(runes)-1 || !strings.ContainsRune("@＠﹫", r) && !isDot(r) {
			continue
		}
		before, after := runes[i-1], runes[i+1]
		if !unicode.IsSpace(before) && !unicode.IsSpace(after) && !isDecimal(runes, i) {
			b.WriteRune(' ')
		}
	}
	return b.String()
}

// withoutSchemes adds a space after what may be the scheme of a link.
func withoutSchemes(name string) string {
	var b strings.Builder
	done := 0
	for _, at := range schemes.FindAllStringIndex(name, -1) {
		b.WriteString(name[done:at[1]])
		done = at[1]
		next, _ := utf8.DecodeRuneInString(name[done:])
		if next != utf8.RuneError && !unicode.IsSpace(next) && !inclusive.MatchString(name[done:]) {
			b.WriteByte(' ')
		}
	}
	return b.String() + name[done:]
}

// isDot reports whether r may separate the labels of a host name: a full stop, or a character that
// mail clients may treat as a full stop.
func isDot(r rune) bool { return strings.ContainsRune(".．。｡․﹒", r) }

// isDecimal reports whether the dot at i is the decimal point of a number. i is neither the
// first nor the last index of runes.
func isDecimal(runes []rune, i int) bool {
	if !unicode.IsDigit(runes[i-1]) || !unicode.IsDigit(runes[i+1]) {
		return false
	}
	begin, end := i-1, i+1
	for begin > 0 && unicode.IsDigit(runes[begin]) {
		begin--
	}
	for end < len(runes)-1 && unicode.IsDigit(runes[end]) {
		end++
	}
	return !isDot(runes[begin]) && !isDot(runes[end])
}

// plainHeader reports whether s can be written to a header without encoding. Mail clients decode
// text that looks like an encoded word, and differ in their treatment of backslashes.
func plainHeader(s string) bool {
	return isASCII(s) && !strings.Contains(s, "=?") && !strings.Contains(s, `\`)
}

// encoded returns s as encoded words of RFC 2047, folded.
func encoded(s string) string {
	const most = 45 // bytes per word, so that an encoded word has at most 75 characters
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

// headerText returns s encoded for a header such as Subject.
func headerText(s string) string {
	if plainHeader(s) {
		return s
	}
	return encoded(s)
}

// headerAddress returns an address with its name encoded for From and To.
func headerAddress(a mail.Address) string {
	bare := mail.Address{Address: a.Address}
	if plainHeader(a.Name) || a.Name == "" {
		return a.String()
	}
	return encoded(a.Name) + "\r\n " + bare.String()
}
