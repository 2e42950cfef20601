package redact_test

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/redact"
	"pgregory.net/rapid"
)

// Agent searches for secrets only in texts that may contain one. Text searches in every text.
func TestAgentHidesWhatTextHides(t *testing.T) {
	parts := rapid.SampledFrom([]string{
		"lyc", "LYT", "ly", "whsec", "+", "c", "_", "%5f", "%5F", "@", "%40", "ada", "example.test", "signature", "=", "%3d", "%25", "%6c", "%2f", "abc", "x", " ", "/", "(", ";",
		strings.Repeat("0aF", 10), "5e", "d",
	})
	rapid.Check(t, func(t *rapid.T) {
		agent := strings.Join(rapid.SliceOfN(parts, 0, 6).Draw(t, "parts"), "")
		if got, want := redact.Agent(agent), redact.Text(agent); got != want {
			t.Fatalf("Agent(%q) = %q, want %q", agent, got, want)
		}
	})
}

// Errors of connections are logged without addresses. What wraps them remains.
func TestConnectionHidesAddresses(t *testing.T) {
	is := is.New(t)
	broken := &net.OpError{
		Op: "write", Net: "tcp", Source: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8080},
		Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 9), Port: 5555}, Err: errors.New("broken pipe"),
	}
	is.Equal(redact.Connection(broken), "write: broken pipe")
	is.Equal(redact.Connection(fmt.Errorf("write the export: %w", broken)), "write the export: write: broken pipe")
	is.Equal(redact.Connection(errors.New("of lyc_0123456789abcdef")), "of …")
	is.Equal(redact.Text("of whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD, hidden"), "of …, hidden")
}

// Secrets are hidden also if some or all of their characters are escaped, once or several times.
func TestEscapedSecretsAreHidden(t *testing.T) {
	const token = "0123456789abcdef0123456789abcdef"
	var escaped strings.Builder
	for _, c := range []byte("lyc_" + token) {
		fmt.Fprintf(&escaped, "%%%02x", c)
	}
	tests := map[string]struct{ text, want string }{
		"an escaped letter":          {"a %6cyc_" + token + " b", "a … b"},
		"an escaped second letter":   {"a l%79c_" + token + " b", "a … b"},
		"an uppercase letter":        {"a l%59T_" + token + " b", "a … b"},
		"an underscore":              {"a lyc%5F" + token + " b", "a … b"},
		"an underscore, twice":       {"a lyc%255f" + token + " b", "a … b"},
		"an underscore, three times": {"a lyc%25255f" + token + " b", "a … b"},
		"a whole key":                {"a " + escaped.String() + " b", "a … b"},
		"a whole key, twice":         {"a " + strings.ReplaceAll(escaped.String(), "%", "%25") + " b", "a … b"},
		"a key in a URL":             {`get "https://a.test/?k=l%79c_` + token + `": refused`, `get "…": refused`},
		"an address":                 {"a ada%40example.test b", "a … b"},
		"an address, twice":          {"a ada%2540example.test b", "a … b"},
		"a token":                    {"a 0123456%37" + token[8:15] + " b", "a … b"},
		"a signature":                {"a x%26signature%3Dzz b", "a x%26… b"},
		"the name of a signature":    {"a %73ignature=zz b", "a … b"},
		"a URL in a URL":             {"a ?to=https%3A%2F%2Fa.test%2Fb b", "a ?to=https%3A%2F%2Fa.test%2Fb b"},
		"a percentage":               {"100% of 25%, 40 %", "100% of 25%, 40 %"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := redact.Text(tt.text); got != tt.want {
				t.Errorf("Text(%q) = %q, want %q", tt.text, got, tt.want)
			}
			if got := redact.Agent(tt.text); got != tt.want {
				t.Errorf("Agent(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// The text of an error is truncated, and a secret at its end is hidden.
func TestLongTexts(t *testing.T) {
	for _, secret := range []string{"ada@example.test", "l%79c_0", "lyc_00"} {
		for before := 2042; before < 2048; before++ {
			blank := strings.Repeat(" ", before)
			if got, want := redact.Text(blank+secret+strings.Repeat(" lyc_0", 1<<20)), blank+"……"; got != want {
				t.Errorf("with %q after %d bytes: …%q", secret, before, got[2030:])
			}
		}
	}
}

func BenchmarkText(b *testing.B) {
	for name, text := range map[string]string{
		"one word of keys":      strings.Repeat("lyc_0/", 1<<18),
		"one word of escapes":   strings.Repeat("%2F", 1<<18),
		"quotes":                strings.Repeat(`"lyc_0`, 1<<18),
		"a usual error message": `dial tcp 127.0.0.1:5432: connect: connection refused`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				redact.Text(text)
			}
		})
	}
}

func BenchmarkAgent(b *testing.B) {
	for name, agent := range map[string]string{
		"a program": "python-requests/2.32.3",
		"a browser": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				redact.Agent(agent)
			}
		})
	}
}
