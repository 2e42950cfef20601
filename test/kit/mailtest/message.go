package mailtest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"testing"
)

// Message is an accepted message with its envelope.
type Message struct {
	From string
	To   []string
	UTF8 bool // whether the client declared that the message needs SMTPUTF8
	Raw  []byte
}

// Parsed is a parsed message.
type Parsed struct {
	Header     mail.Header // header fields, not decoded
	Subject    string
	From, To   *mail.Address
	MediaType  string
	Text, HTML string
}

// Parse parses the message. It fails the test if the message is not well-formed.
func (m Message) Parse(t testing.TB) Parsed {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v in\n%s", err, m.Raw)
		}
	}
	parsed, err := mail.ReadMessage(bytes.NewReader(m.Raw))
	must(err)
	o := Parsed{Header: parsed.Header}
	o.Subject, err = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
	must(err)
	o.From, err = mail.ParseAddress(parsed.Header.Get("From"))
	must(err)
	o.To, err = mail.ParseAddress(parsed.Header.Get("To"))
	must(err)
	var params map[string]string
	o.MediaType, params, err = mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	must(err)
	for parts := multipart.NewReader(parsed.Body, params["boundary"]); ; {
		part, err := parts.NextPart() // NextPart decodes quoted-printable
		if errors.Is(err, io.EOF) {
			return o
		}
		must(err)
		body, err := io.ReadAll(part)
		must(err)
		body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
		switch kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); kind {
		case "text/plain":
			o.Text = string(body)
		case "text/html":
			o.HTML = string(body)
		default:
			t.Fatalf("a part of the type %q", kind)
		}
	}
}
