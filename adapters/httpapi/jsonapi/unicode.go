package jsonapi

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// unicodeText reports whether a JSON string is valid Unicode text. encoding/json would
// silently replace invalid characters.
func unicodeText(quoted []byte) bool {
	if !utf8.Valid(quoted) {
		return false
	}
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		first := escapedUnit(quoted[i:])
		if first < 0 {
			i++ // an escape sequence of two characters
			continue
		}
		i += unitLength - 1
		if !utf16.IsSurrogate(first) {
			continue
		}
		if utf16.DecodeRune(first, escapedUnit(quoted[i+1:])) == utf8.RuneError {
			return false
		}
		i += unitLength
	}
	return true
}

// unitLength is the length of an escaped UTF-16 unit: \uXXXX.
const unitLength = 6

// escapedUnit returns the UTF-16 unit of the escape at the start of s, or -1 if there is none.
func escapedUnit(s []byte) rune {
	if len(s) < unitLength || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(s[2:unitLength]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
