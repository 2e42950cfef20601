package postgres

import (
	"container/list"
	"slices"
	"sync"
	"time"
)

const (
	// placeLife is how long a reader may take to ask for the next page before the
	// place is forgotten, and it is looked for from the first row.
	placeLife = 5 * time.Minute
	// againLife is how long a reader who has got the next page may ask for it again,
	// since the answer may have been lost.
	againLife = 30 * time.Second
	// placesAtOnce is how many different places of one reader at one spot are kept.
	placesAtOnce = 8
	// placesSize is how much memory all places may take, in bytes.
	placesSize = 16 << 20
	// nearestAmong is how many places are looked at for the nearest one.
	nearestAmong = 2000
	// deepFrom is the offset from which a page that its reader has not come to by
	// links is counted from the nearest place of theirs, and remembers where it
	// begins. Before that, counting takes no time worth speaking of.
	deepFrom = 10_000
	// placeSize is what a place takes beside the texts of its keys.
	placeSize = 400
)

// queryID is the identity of a query: who reads what in which order.
type queryID [32]byte

// spot is a number of rows of a query.
type spot struct {
	query  queryID
	offset int64
}

// bookmark is where the rows before a spot ended for a reader.
type bookmark struct {
	spot    spot
	end     ending
	made    time.Time
	waiting int       // how many have read so far and not gone on
	taken   time.Time // when the last of them went on
	before  *bookmark // where the page that ended here began; nil at the first page, and once forgotten
	size    int
	recent  *list.Element // nil once forgotten
}

// bookmarks are the places where pages ended, so that the next page can begin
// there. The places of a reader at one spot differ when rows came or went between
// two readings of the page before. Who goes on is taken for the one who came
// last and has not gone on yet.
type bookmarks struct {
	now    func() time.Time
	max    int // bytes
	mu     sync.Mutex
	size   int
	at     map[spot][]*bookmark // in the order in which they were made
	recent *list.List           // of *bookmark; the one used last first
	began  int64                // how many pages have begun at one
}

func newBookmarks(limit int, now func() time.Time) *bookmarks {
	return &bookmarks{now: now, max: limit, at: map[spot][]*bookmark{}, recent: list.New()}
}

// take returns where the page begins that stands at a spot, nil when nothing is
// remembered.
func (b *bookmarks) take(at spot) *bookmark {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	for _, p := range slices.Clone(b.at[at]) {
		if p.over(now) {
			b.forget(p)
		}
	}
	all := b.at[at]
	if len(all) == 0 {
		return nil
	}
	best := all[0]
	for _, p := range all[1:] {
		if p.waiting > 0 || best.waiting == 0 && p.taken.After(best.taken) {
			best = p
		}
	}
	best.waiting = max(best.waiting-1, 0)
	best.taken = now
	b.began++
	b.recent.MoveToFront(best.recent)
	return best
}

// over tells whether it is too late to go on from p.
func (p *bookmark) over(now time.Time) bool {
	if p.waiting > 0 {
		return now.Sub(p.made) > placeLife
	}
	return now.Sub(p.taken) > againLife
}

// nearest returns the place of the query that is nearest before a spot, among those
// used last, nil when nothing is remembered.
func (b *bookmarks) nearest(at spot) *bookmark {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, left := b.now(), nearestAmong
	var best *bookmark
	for e := b.recent.Front(); e != nil && left > 0; e, left = e.Next(), left-1 {
		p := e.Value.(*bookmark)
		if p.spot.query != at.query || p.spot.offset >= at.offset || p.over(now) {
			continue
		}
		if best == nil || p.spot.offset > best.spot.offset {
			best = p
		}
	}
	if best != nil {
		b.began++
	}
	return best
}

// put remembers where a page ended that began at a place, nil if unknown, and
// returns that. Nobody needs the place before the beginning any more.
func (b *bookmarks) put(at spot, end ending, began *bookmark) *bookmark {
	b.mu.Lock()
	defer b.mu.Unlock()
	if began != nil && began.before != nil {
		if began.before.waiting == 0 {
			b.forget(began.before)
		}
		began.before = nil
	}
	i := slices.IndexFunc(b.at[at], func(p *bookmark) bool { return slices.EqualFunc(p.end, end, sameText) })
	if i >= 0 {
		p := b.at[at][i]
		p.waiting++
		p.made, p.before = b.now(), began
		b.at[at] = append(slices.Delete(b.at[at], i, i+1), p)
		b.recent.MoveToFront(p.recent)
		return p
	}
	p := &bookmark{spot: at, end: end, made: b.now(), waiting: 1, before: began, size: placeSize}
	for _, v := range end {
		if v != nil {
			p.size += len(*v)
		}
	}
	b.at[at] = append(b.at[at], p)
	p.recent = b.recent.PushFront(p)
	b.size += p.size
	if len(b.at[at]) > placesAtOnce {
		b.forget(b.at[at][0])
	}
	for b.size > b.max {
		b.forget(b.recent.Back().Value.(*bookmark))
	}
	return p
}

func (b *bookmarks) forget(p *bookmark) {
	if p.recent == nil {
		return
	}
	b.recent.Remove(p.recent)
	p.recent, p.before = nil, nil
	b.size -= p.size
	rest := slices.DeleteFunc(b.at[p.spot], func(o *bookmark) bool { return o == p })
	if len(rest) == 0 {
		delete(b.at, p.spot)
	} else {
		b.at[p.spot] = rest
	}
}

func sameText(one, other *string) bool {
	if one == nil || other == nil {
		return one == other
	}
	return *one == *other
}

// taken returns how many pages have begun at a bookmark.
func (b *bookmarks) taken() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.began
}
