package main

import (
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

func TestTable(t *testing.T) {
	t.Parallel()
	took := func(n int, d time.Duration) []time.Duration {
		all := make([]time.Duration, n)
		for i := range all {
			all[i] = d
		}
		return all
	}
	measured := func(records int, seconds float64, during time.Duration) measurement {
		lasted := time.Duration(seconds * float64(time.Second))
		return measurement{
			outcome: outcome{took: lasted, processor: seconds / 2}, records: records,
			quiet: took(100, time.Millisecond), during: took(300, during),
		}
	}
	for _, one := range []struct {
		name         string
		small, large []measurement
		want         []string // parts of the line of the larger size
	}{
		{
			"a run is the median",
			[]measurement{measured(10, 1, 0), measured(10, 1, 0), measured(10, 1, 0)},
			[]measurement{measured(100, 40, 5e6), measured(100, 8, 2e6), measured(100, 10, 3e6)},
			[]string{"| 100 rows | 10.00 s | 10/s | 10.0 | 5.00 s | 10.0 |", "| 3.0, 3.0 | 3.0 | 300 |"},
		},
		{
			"slower growth than linear is no miss",
			[]measurement{measured(10, 1, 0)},
			[]measurement{measured(100, 5, 1e6)},
			[]string{"| 5.0 |", "| 1.0 | 300 |"},
		},
		{
			"both goals are missed",
			[]measurement{measured(10, 1, 0)},
			[]measurement{measured(100, 20, 11e6)},
			[]string{"| 20.0 (missed) |", "| 11.0 (missed) | 300 |"},
		},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			r := row{operation: operation{name: "Work", unit: "rows"}}
			for i := range one.large {
				r.add(0, one.small[i])
				r.add(1, one.large[i])
			}
			lines := strings.Split(strings.TrimSpace(table([]*row{&r})), "\n")
			is.Equal(len(lines), 4) // heading, rule and two sizes
			for _, part := range one.want {
				is.True(strings.Contains(lines[3], part)) // the line has the part
			}
		})
	}
}

func TestLineCounter(t *testing.T) {
	t.Parallel()
	is := is.New(t)
	var c lineCounter
	for _, part := range []string{strings.Repeat("x", 150) + "\n", `{"kind":`, "\"end\"}\n"} {
		n, err := c.Write([]byte(part))
		is.NoErr(err)
		is.Equal(n, len(part))
	}
	is.Equal(c.lines, 2)
	is.Equal(c.bytes, int64(166))
	is.Equal(len(c.last), lastBytes)
	is.True(strings.HasSuffix(string(c.last), `{"kind":"end"}`+"\n"))
}
