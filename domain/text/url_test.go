package text_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

func TestURL(t *testing.T) {
	long := "https://img.example.test/" + strings.Repeat("é", text.MaxURL-len("https://img.example.test/"))
	for _, tt := range []struct{ in, want string }{
		{"https://img.example.test/ada.png", "https://img.example.test/ada.png"},
		{" http://localhost:8080 ", "http://localhost:8080"},
		{"HTTPS://Img.Example.test/A?b=%20&c=[1]#d", "HTTPS://Img.Example.test/A?b=%20&c=[1]#d"},
		{"http://127.0.0.1/a", "http://127.0.0.1/a"},
		{"https://bücher.example.test/straße", "https://bücher.example.test/straße"},
		{"https://example.test?x", "https://example.test?x"},
		{"https://example.test:443#x", "https://example.test:443#x"},
		{long, long},
	} {
		t.Run(tt.in, func(t *testing.T) {
			is := is.New(t)
			got, err := text.URL("custom_avatar_url", tt.in)
			is.NoErr(err)
			is.Equal(got, tt.want)
		})
	}
}

func TestURLRefuses(t *testing.T) {
	const other = "must be an absolute http or https URL"
	for _, tt := range []struct{ in, detail string }{
		{"", "can't be blank"},
		{" \u00a0", "can't be blank"},
		{"ada.png", other},
		{"/ada.png", other},
		{"//img.example.test/ada.png", other},
		{"img.example.test/ada.png", other},
		{"ftp://img.example.test/ada.png", other},
		{"javascript:alert(1)//http://example.test", other},
		{"javascript://example.test/%0aalert(1)", other},
		{"data:image/png;base64,AAAA", other},
		{"http:example.test", other},
		{"httpſ://example.test", other},
		{"http://", other},
		{"http:///ada.png", other},
		{"http://?x", other},
		{"http://:80/", other},
		{"http://example.test:/", other},
		{"http://example.test:0/", other},
		{"http://example.test:65536/", other},
		{"http://example.test:+80/", other},
		{"http://user:secret@example.test/", other},
		{"http://user@example.test/", other},
		{"http://[::1]/", other},
		{"http://exa mple.test/", other},
		{"http://example..test/", other},
		{"http://example.test/a b", other},
		{"http://example.test/<script>", other},
		{`http://example.test/"`, other},
		{`http://example.test\@other.test/`, other},
		{"http://example.test/a\u2028b", other},
		{"http://example.test/\u202e", other},
		{"http://example.test/a\nb", "contains a control character"},
		{"http://example.test/\x00", "contains a control character"},
		{"http://example.test/\xff", "is not valid UTF-8"},
		{"https://example.test/" + strings.Repeat("a", text.MaxURL), "is too long (maximum is 2048 characters)"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			is := is.New(t)
			_, err := text.URL("custom_avatar_url", tt.in)
			is.Equal(fault.All(err), []*fault.Fault{fault.Invalidf("custom_avatar_url", "%s", tt.detail)})
		})
	}
}
