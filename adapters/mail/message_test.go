package mail_test

import (
	"net/mail"
	"strings"
	"testing"
	"unicode"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/text"
	"lyceum/test/kit/mailtest"
	"pgregory.net/rapid"
)

func TestMessageAsDelivered(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{})
	m := deliver(t, to(s), s, message)
	is.Equal(m.From, "no-reply@school.example")
	is.Equal(m.To, []string{"ada@example.test"})

	o := m.Parse(t)
	is.Equal(o.Subject, "Invitation to Acme")
	is.Equal(o.From, &mail.Address{Name: "Acme via Lyceum", Address: "no-reply@school.example"})
	is.Equal(o.To, &mail.Address{Name: "Ada Lovelace", Address: "ada@example.test"})
	is.Equal(o.MediaType, "multipart/alternative")
	is.Equal(o.Text, `Hello Ada Lovelace,

you are invited to join Acme.

Open this address to accept the invitation:

https://api.example.test/invitations/5eed

It can be used only once, until 3 February 2026 (UTC).

If you did not expect this message, you can ignore it.
`)
	is.Equal(o.HTML, `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Invitation to Acme</title></head>
<body>
<p>Hello Ada Lovelace,</p>
<p>you are invited to join <strong>Acme</strong>.</p>
<p><a href="https://api.example.test/invitations/5eed">Accept the invitation</a>, or copy this address: https://api.example.test/invitations/5eed</p>
<p>It can be used only once, until 3 February 2026 (UTC).</p>
<p>If you did not expect this message, you can ignore it.</p>
</body>
</html>
`)
	is.Equal(o.Header.Get("Message-Id"), "<018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10@school.example>")
	is.Equal(o.Header.Get("Date"), "Fri, 02 Jan 2026 15:04:05 +0000")
	is.Equal(o.Header.Get("Auto-Submitted"), "auto-generated")
	is.Equal(o.Header.Get("Mime-Version"), "1.0")
	var names []string
	for name := range o.Header {
		names = append(names, name)
	}
	is.Equal(len(names), 8) // no header names the program that sent the email
}

func TestMessageIDIsStable(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{})
	first, second := deliver(t, to(s), s, message).Parse(t), deliver(t, to(s), s, message).Parse(t)
	is.Equal(first.Header.Get("Message-Id"), second.Header.Get("Message-Id"))
}

func TestSenderName(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{})
	cfg := to(s)
	cfg.From = `"Lyceum, the server" <no-reply@school.example>`
	is.Equal(deliver(t, cfg, s, message).Parse(t).From, &mail.Address{Name: "Lyceum, the server", Address: "no-reply@school.example"})
}

// Every name of a school or person is shown unchanged and cannot inject a header or a tag.
func TestNamesInMessage(t *testing.T) {
	tests := map[string]struct{ name, shown, html string }{
		"other scripts":  {"Ольга Ладыженская", "Ольга Ладыженская", "Ольга Ладыженская"},
		"marks":          {"Renée 🎓 Müller", "Renée 🎓 Müller", "Renée 🎓 Müller"},
		"quotes":         {`Ada "Countess" O'Lovelace\`, `Ada "Countess" O'Lovelace\`, `Ada &#34;Countess&#34; O&#39;Lovelace\`},
		"punctuation":    {"a@b.test, <c@d.test>; (e): f", "a@ b. test, <c@ d. test>; (e): f", "a@ b. test, &lt;c@ d. test&gt;; (e): f"},
		"markup":         {"<script>alert(1)</script>", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
		"ends of lines":  {"Eve\r\nBcc: all@example.test\n\n.\r\nQUIT", "Eve Bcc: all@ example. test . QUIT", "Eve Bcc: all@ example. test . QUIT"},
		"other controls": {"Eve\x00\x1b[2J\u0085\u2028x", "Eve [2J x", "Eve [2J x"},
		"no UTF-8":       {"Eve\xff", "Eve\uFFFD", "Eve\uFFFD"},
		"long":           {strings.Repeat("é", 255), strings.Repeat("é", 255), strings.Repeat("é", 255)},
		"one long word":  {strings.Repeat("e", 255), strings.Repeat("e", 255), strings.Repeat("e", 255)},
		"a template":     {"{{.Link}}", "{{. Link}}", "{{. Link}}"},
		"a web address":  {"Your parcel waits: https://evil.example/x", "Your parcel waits: https: evil. example/x", "Your parcel waits: https: evil. example/x"},
		"a host":         {"www.evil.example", "www. evil. example", "www. evil. example"},
		"another dot":    {"evil．example", "evil． example", "evil． example"},
		"a dot leader":   {"evil․example", "evil․ example", "evil․ example"},
		"a small dot":    {"evil﹒example", "evil﹒ example", "evil﹒ example"},
		"an email link":  {"write to mailto:ada", "write to mailto: ada", "write to mailto: ada"},
		"a phone link":   {"TEL:+491234 tel:112", "TEL: +491234 tel: 112", "TEL: &#43;491234 tel: 112"},
		"a colon":        {"Schüler:innen, Hotel:Bar, 10:30", "Schüler:innen, Hotel: Bar, 10:30", "Schüler:innen, Hotel: Bar, 10:30"},
		"no slashes":     {"http:1249763844/x https:0x4a7d2b63", "http: 1249763844/x https: 0x4a7d2b63", "http: 1249763844/x https: 0x4a7d2b63"},
		"two schemes":    {"a:in:http:/1249763844", "a: in: http: /1249763844", "a: in: http: /1249763844"},
		"other schemes":  {"news:alt outlook:inbox x-a+b.c:d e:", "news: alt outlook: inbox x-a+b. c: d e:", "news: alt outlook: inbox x-a&#43;b. c: d e:"},
		"a folder":       {`see \\host\folder`, `see \ host\folder`, `see \ host\folder`},
		"backslashes":    {`\\\host a\\`, `\ host a\\`, `\ host a\\`},
		"a small at":     {"ada﹫evil", "ada﹫ evil", "ada﹫ evil"},
		"a number":       {"Web 2.0", "Web 2.0", "Web 2.0"},
		"a long number":  {"12.345", "12.345", "12.345"},
		"an IP address":  {"192.0.2.1/x", "192. 0. 2. 1/x", "192. 0. 2. 1/x"},
		"initials":       {"J.R.R. Tolkien", "J. R. R. Tolkien", "J. R. R. Tolkien"},
		"encoded words":  {"=?utf-8?q?evil?= =?utf-8?b?ZXZpbA==?=", "=?utf-8?q?evil?= =?utf-8?b?ZXZpbA==?=", "=?utf-8?q?evil?= =?utf-8?b?ZXZpbA==?="},
		"a backslash":    {`back\slash`, `back\slash`, `back\slash`},
	}
	s := mailtest.Start(t, mailtest.Config{})
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			l := message
			l.Name, l.School = tt.name, tt.name
			o := deliver(t, to(s), s, l).Parse(t)
			is.Equal(o.To, &mail.Address{Name: tt.shown, Address: "ada@example.test"})
			is.Equal(o.From.Name, tt.shown+" via Lyceum")
			is.Equal(o.Subject, "Invitation to "+tt.shown)
			is.True(strings.HasPrefix(o.Text, "Hello "+tt.shown+",\n"))
			is.True(strings.Contains(o.HTML, "<p>Hello "+tt.html+",</p>"))
			is.Equal(len(o.Header), 8) // no additional header
		})
	}
}

func TestNamesDoNotChangeMessageStructure(t *testing.T) {
	s := mailtest.Start(t, mailtest.Config{})
	send := sender(t, to(s))
	sent := 0
	rapid.Check(t, func(t *rapid.T) {
		l := message
		l.Name, l.School = rapid.String().Draw(t, "name"), rapid.String().Draw(t, "school")
		if err := send.Send(t.Context(), l); err != nil {
			t.Fatal(err)
		}
		sent++
		m := s.Accepted()[sent-1]
		if len(m.To) != 1 || m.To[0] != message.To {
			t.Fatalf("sent to %v", m.To)
		}
		head, _, _ := strings.Cut(string(m.Raw), "\r\n\r\n")
		for line := range strings.SplitSeq(head, "\r\n") {
			if len(line) > 998 || strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII || r < ' ' }) {
				t.Fatalf("%q", line)
			}
		}
		if parsed, err := mail.ReadMessage(strings.NewReader(string(m.Raw))); err != nil || len(parsed.Header) != 8 {
			t.Fatalf("%v\n%s", err, head)
		}
	})
}

func TestPersonWithoutNameIsAddressedByEmail(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{})
	l := message
	l.Name = l.To
	o := deliver(t, to(s), s, l).Parse(t)
	is.Equal(o.To, &mail.Address{Address: "ada@example.test"})
	is.True(strings.HasPrefix(o.Text, "Hello,\n"))
}

// Every address that the domain accepts reaches the server unchanged.
func TestAddresses(t *testing.T) {
	s := mailtest.Start(t, mailtest.Config{UTF8: true})
	for _, address := range []string{
		"a+b@example.test", "o'neil@example.test", `"a b"@example.test`, "jörg@example.test", "ada@münchen.example", "root@localhost",
	} {
		t.Run(address, func(t *testing.T) {
			is := is.New(t)
			_, err := text.Email("email", address)
			is.NoErr(err)
			l := message
			l.To = address
			m := deliver(t, to(s), s, l)
			parsed, err := mail.ParseAddress(address)
			is.NoErr(err)
			is.Equal(m.To, []string{parsed.Address})
			is.Equal(m.Parse(t).To.Address, parsed.Address)
		})
	}
}

func TestInvalidAddressIsPermanentError(t *testing.T) {
	s := mailtest.Start(t, mailtest.Config{})
	for _, address := range []string{"", "ada", "ada@", "a@b.test, c@d.test", "a@b.test>\r\nRCPT TO:<c@d.test", "a\x00@b.test"} {
		is := is.New(t)
		l := message
		l.To = address
		err := sender(t, to(s)).Send(t.Context(), l)
		is.True(fault.Is(err, fault.Invalid))
		is.Equal(err.Error(), "invalid: email: is not a valid email address")
	}
	is.New(t).Equal(len(s.Accepted()), 0)
}
