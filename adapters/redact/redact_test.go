package redact_test

import (
	"strings"
	"testing"

	"lyceum/adapters/redact"
	"pgregory.net/rapid"
)

// Agent searches for secrets only in texts that may contain one. Text searches in every text.
func TestAgentHidesWhatTextHides(t *testing.T) {
	parts := rapid.SampledFrom([]string{
		"lyc", "LYT", "ly", "c", "_", "%5f", "%5F", "@", "%40", "ada", "example.test", "signature", "=", "abc", "x", " ", "/", "(", ";",
		strings.Repeat("0aF", 10), "5e", "d",
	})
	rapid.Check(t, func(t *rapid.T) {
		agent := strings.Join(rapid.SliceOfN(parts, 0, 6).Draw(t, "parts"), "")
		if got, want := redact.Agent(agent), redact.Text(agent); got != want {
			t.Fatalf("Agent(%q) = %q, want %q", agent, got, want)
		}
	})
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
