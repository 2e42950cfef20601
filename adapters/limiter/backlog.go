package limiter

import "time"

// backlog contains the units of a school that its rate has not covered yet, by key. It implements
// processor sharing: all keys with open units have equal parts of the rate.
type backlog struct {
	open map[[16]byte]float64 // units; no key has zero
	at   time.Time            // when the rate was last applied
}

// cover removes the units that the rate has covered until now.
func (b *backlog) cover(now time.Time, perSecond float64) {
	const rounding = 1e-9 // in units
	units := now.Sub(b.at).Seconds() * perSecond
	b.at = now
	for units > rounding && len(b.open) > 0 {
		part := units / float64(len(b.open))
		for _, open := range b.open {
			part = min(part, open)
		}
		units -= part * float64(len(b.open))
		for key, open := range b.open {
			if open -= part; open > rounding {
				b.open[key] = open
			} else {
				delete(b.open, key)
			}
		}
	}
}

// ahead returns the number of units that are covered before another unit of key: those of the key,
// and as many of each other key as it has with this unit.
func (b *backlog) ahead(key [16]byte) float64 {
	own := b.open[key]
	units := own
	for other, open := range b.open {
		if other != key {
			units += min(open, own+1)
		}
	}
	return units
}

func (b *backlog) add(key [16]byte, n int) { b.open[key] += float64(n) }
