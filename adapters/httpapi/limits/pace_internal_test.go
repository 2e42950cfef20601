package limits

import (
	"testing"
	"time"

	"github.com/matryer/is"
)

func TestPace(t *testing.T) {
	for _, tt := range []struct {
		name  string
		bytes int           // bytes of each transfer
		every time.Duration // duration of each transfer
		cut   time.Duration // when the time is used up; 0: never
	}{
		{"nothing is moved", 0, time.Second, 10 * time.Second},
		{"a byte every ten seconds", 1, 10 * time.Second, 10 * time.Second},
		{"half of the least rate", 500, time.Second, 19 * time.Second},
		{"just the least rate", 1000, time.Second, 0},
		{"a fast client", 1 << 20, time.Millisecond, 0},
		{"large pieces after long pauses", 8000, 8 * time.Second, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p, start := NewPace(10*time.Second, 1000), time.Unix(0, 0)
			now, cut := start, time.Duration(0)
			for range 1000 {
				end := p.Deadline(now)
				if now = now.Add(tt.every); !now.Before(end) {
					cut = end.Sub(start)
					break
				}
				p.Moved(tt.bytes, tt.every)
				is.True(p.remaining <= p.most)
			}
			is.Equal(cut.Round(time.Second), tt.cut)
		})
	}
}
