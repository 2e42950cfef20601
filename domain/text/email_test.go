package text_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/text"
)

func TestEmailValid(t *testing.T) {
	for _, s := range []string{
		"ada@example.test",
		"Ada.Lovelace+school@Mail.Example.test", // upper and lower case are preserved
		"a@b",
		"root@localhost",
		"o'brien!#$%&*/=?^_`{|}~-@example.test",
		`"ada lovelace"@example.test`,
		`"a@b"@example.test`,
		"ünï@exämple.test",
		"用户@例子.测试",
		"a@xn--bcher-kva.test",
		"a@3com.test",
		strings.Repeat("a", 242) + "@example.com", // 254 characters
	} {
		t.Run(s, func(t *testing.T) {
			is := is.New(t)
			got, err := text.Email("email", "  "+s+" ")
			is.NoErr(err)
			is.Equal(got, s)
		})
	}
}

func TestEmailInvalid(t *testing.T) {
	const no = "is not a valid email address"
	for _, tc := range []struct{ name, in, fault string }{
		{"absent", "", "can't be blank"},
		{"blank", " ", "can't be blank"},
		{"too long", strings.Repeat("a", 243) + "@example.com", "is too long (maximum is 254 characters)"},
		{"a control character", "a\x00@example.test", "contains a control character"},
		{"two lines", "a@example.test\r\nBcc: b@example.test", "contains a control character"},
		{"invalid UTF-8", "\xff@example.test", "is not valid UTF-8"},
		{"no at sign", "ada", no},
		{"no host", "ada@", no},
		{"no local part", "@example.test", no},
		{"two at signs", "a@b@example.test", no},
		{"two addresses", "a@example.test, b@example.test", no},
		{"a display name", "Ada <ada@example.test>", no},
		{"angle brackets", "<ada@example.test>", no},
		{"a comment", "ada@example.test (Ada)", no},
		{"a group", "all: ada@example.test;", no},
		{"a space", "ada lovelace@example.test", no},
		{"a space beyond ASCII", "ada\u00a0l@example.test", no},
		{"an invisible character", "ada\u200b@example.test", no},
		{"a variation selector", "ada@exam\ufe01ple.test", no},
		{"a supplementary variation selector", "ada@exam\U000e0100ple.test", no},
		{"a Hangul filler", "ada\u3164@example.test", no},
		{"a combining grapheme joiner", "ada@exam\u034fple.test", no},
		{"a right-to-left override", "\u202eada@example.test", no},
		{"a leading dot", ".ada@example.test", no},
		{"two dots", "a..b@example.test", no},
		{"a final dot", "ada@example.test.", no},
		{"quotes without need", `"ada"@example.test`, no},
		{"an empty label", "ada@example..test", no},
		{"a label that begins with a hyphen", "ada@-example.test", no},
		{"a label that ends with a hyphen", "ada@example-.test", no},
		{"a character that is not allowed in hosts", "ada@exam_ple.test", no},
		{"an IP address in brackets", "ada@[127.0.0.1]", no},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := text.Email("email", tc.in)
			is.Equal(got, "")
			is.Equal(detail(err), tc.fault)
		})
	}
}

func FuzzEmail(f *testing.F) {
	for _, s := range []string{"ada@example.test", `"a b"@x`, "a@[::1]", "<a@b>", "a@b, c@d", "=?utf-8?q?a?=@x", "\xff@x", "a@é.test"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		address, err := text.Email("email", s)
		if err != nil {
			return
		}
		if again, err := text.Email("email", address); err != nil || again != address {
			t.Errorf("%+q was accepted as %+q, which became %+q, %v", s, address, again, err)
		}
		if address != strings.TrimSpace(s) {
			t.Errorf("%+q is not kept as written: %+q", s, address)
		}
		if !strings.Contains(address, "@") || strings.ContainsAny(address, "\r\n\x00") {
			t.Errorf("%+q is not a valid address", address)
		}
	})
}
