package limiter

import "time"

// backlogParts is the number of parts of a backlog. All keys of a part wait together.
const backlogParts = 64

// backlog contains the units of a school that its rate has not covered yet. It implements
// processor sharing: all parts with open units have equal shares of the rate. There is a fixed
// number of parts and not one for each key, because a school can have very many keys.
type backlog struct {
	open [backlogParts]float64 // units
	at   time.Time             // when the rate was last applied
}

// partOf returns the part of a key. The last byte of a key is random.
func partOf(key [16]byte) int { return int(key[15]) % backlogParts }

// cover removes the units that the rate has covered until now.
func (b *backlog) cover(now time.Time, perSecond float64) {
	const rounding = 1e-9 // in units
	units := now.Sub(b.at).Seconds() * perSecond
	b.at = now
	for units > rounding {
		parts, least := 0, 0.0 // the parts with open units, and the smallest of them
		for _, open := range b.open {
			if open == 0 {
				continue
			}
			if parts++; parts == 1 || open < least {
				least = open
			}
		}
		if parts == 0 {
			return
		}
		share := min(units/float64(parts), least)
		units -= share * float64(parts)
		for i, open := range b.open {
			if open -= share; open > rounding {
				b.open[i] = open
			} else {
				b.open[i] = 0
			}
		}
	}
}

// ahead returns the number of units that are covered before another unit of key: those of its part,
// and as many of each other part as its part has with this unit.
func (b *backlog) ahead(key [16]byte) (units float64) {
	own := b.open[partOf(key)]
	for _, open := range b.open {
		units += min(open, own+1)
	}
	return units
}

func (b *backlog) add(key [16]byte, n int) { b.open[partOf(key)] += float64(n) }
