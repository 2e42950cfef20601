package mail_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/mail"
	"lyceum/test/kit/fake"
)

func TestConfig(t *testing.T) {
	complete := func(c *mail.Config) {
		c.Mode, c.From, c.Host = mail.SMTP, "no-reply@school.example", "smtp.school.example"
	}
	tests := []struct {
		name string
		edit func(*mail.Config)
		want string
	}{
		{"the defaults", func(*mail.Config) {}, ""},
		{"a mail server", complete, ""},
		{"a sender with a name", func(c *mail.Config) { complete(c); c.From = "Lyceum <a@b.test>" }, ""},
		{"an account", func(c *mail.Config) { complete(c); c.Username, c.Password = "u", "p" }, ""},
		{"no mode", func(c *mail.Config) { c.Mode = "" }, `mail.mode: must be one of: log, smtp; got ""`},
		{"a mode alone", func(c *mail.Config) { *c = mail.Config{Mode: mail.SMTP} }, "mail.from: is required with --mail.mode=smtp\n" +
			"mail.host: is required with --mail.mode=smtp\nmail.port: must be between 1 and 65535\n" +
			"mail.tls: must be one of: mandatory, opportunistic, implicit, none; got \"\"\nmail.timeout: must be greater than 0\n" +
			"mail.language: must be one of: en, de; got \"\""},
		{
			"a sender that is none", func(c *mail.Config) { complete(c); c.From = "Lyceum" },
			`mail.from: "Lyceum" is not a valid email address, such as no-reply@school.example`,
		},
		{
			"a sender that is two lines", func(c *mail.Config) { complete(c); c.From = "Lyceum\r\n <a@b.test>" },
			`mail.from: "Lyceum\r\n <a@b.test>" is not a valid email address, such as no-reply@school.example`,
		},
		{
			"a sender beyond ASCII", func(c *mail.Config) { complete(c); c.From = "jörg@b.test" },
			`mail.from: "jörg@b.test" is not a valid email address, such as no-reply@school.example`,
		},
		{"a host that is none", func(c *mail.Config) { complete(c); c.Host = "smtp://h" }, `mail.host: "smtp://h" is not a valid host name`},
		{"a name of two words", func(c *mail.Config) { complete(c); c.HELO = "a b" }, `mail.helo: "a b" is not a valid host name`},
		{"a port that is none", func(c *mail.Config) { complete(c); c.Port = 65536 }, "mail.port: must be between 1 and 65535"},
		{"an unknown language", func(c *mail.Config) { complete(c); c.Language = "fr" }, `mail.language: must be one of: en, de; got "fr"`},
		{"the longest time", func(c *mail.Config) { complete(c); c.Timeout = time.Minute }, ""},
		{"a longer time", func(c *mail.Config) { complete(c); c.Timeout = time.Minute + 1 }, "mail.timeout: must be at most 1m"},
		{"no password", func(c *mail.Config) { complete(c); c.Username = "u" }, "mail.password: is required with mail.username"},
		{"no user", func(c *mail.Config) { complete(c); c.Password = "p" }, "mail.username: is required with mail.password"},
		{
			"a password in plain text", func(c *mail.Config) { complete(c); c.Username, c.Password, c.TLS = "u", "p", mail.None },
			"mail.username: requires an encrypted connection, but mail.tls is none",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg := mail.Defaults()
			tt.edit(&cfg)
			err := cfg.Validate()
			if tt.want == "" {
				is.NoErr(err)
				return
			}
			is.True(err != nil)
			is.Equal(err.Error(), tt.want)
			cfg.Mode = mail.SMTP
			_, err = mail.NewSender(cfg, fake.NewClock(fake.Start))
			is.True(err != nil || tt.name == "no mode") // NewSender refuses the configuration too
		})
	}
}
