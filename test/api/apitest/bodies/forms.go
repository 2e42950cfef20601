package bodies

import "strings"

// Boundary separates the parts of a form.
const Boundary = "limit"

// FormBody returns a multipart form. parts contains alternating names and values. The value of a
// file consists of its name and its content, separated by a vertical bar.
func FormBody(parts ...string) string {
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		name, value := parts[i], parts[i+1]
		b.WriteString("--" + Boundary + "\r\nContent-Disposition: form-data; name=\"" + name + `"`)
		if file, bytes, ok := strings.Cut(value, "|"); ok {
			b.WriteString(`; filename="` + file + "\"\r\nContent-Type: text/html")
			value = bytes
		}
		b.WriteString("\r\n\r\n" + value + "\r\n")
	}
	return b.String() + "--" + Boundary + "--\r\n"
}
