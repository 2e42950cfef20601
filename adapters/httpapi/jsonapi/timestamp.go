package jsonapi

import "time"

// timestampForm is the form of a timestamp. time.Format reads a form at each call, which took a
// fourteenth of the time of a page.
const timestampForm = "2006-01-02T15:04:05.000Z"

// Timestamp returns t in RFC 3339, in UTC with milliseconds.
func Timestamp(t time.Time) string {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.Format(timestampForm)
	}
	hour, minute, second := t.Clock()
	b := []byte(timestampForm)
	putDigits(b[0:4], year)
	putDigits(b[5:7], int(month))
	putDigits(b[8:10], day)
	putDigits(b[11:13], hour)
	putDigits(b[14:16], minute)
	putDigits(b[17:19], second)
	putDigits(b[20:23], t.Nanosecond()/int(time.Millisecond))
	return string(b)
}

// putDigits writes the last decimal digits of n to b.
func putDigits(b []byte, n int) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
}
