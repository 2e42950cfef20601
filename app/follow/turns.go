package follow

import (
	"maps"
	"slices"
	"time"

	"lyceum/domain/change"
	"lyceum/domain/school"
)

// key identifies a follower.
type key struct {
	school school.ID
	name   string
}

// lockedLast returns the followers of locked schools after the others.
func (u *Followers) lockedLast(turns []change.Follower) []change.Follower {
	u.mu.Lock()
	defer u.mu.Unlock()
	var free, locked []change.Follower
	for _, f := range turns {
		if u.locked[f.School] {
			locked = append(locked, f)
			continue
		}
		free = append(free, f)
	}
	return append(free, locked...)
}

// inTurn returns the followers that get a page now: those without an end, and then, of each school,
// the one with an end whose name follows that of the last call and that is not full. due is ordered
// by name.
func (u *Followers) inTurn(due []change.Follower) []change.Follower {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.deps.Clock.Now()
	maps.DeleteFunc(u.full, func(_ key, until time.Time) bool { return !now.Before(until) })
	var endless, ending []change.Follower
	at := map[school.ID]int{} // index in ending
	for _, f := range due {
		if f.Until == 0 {
			endless = append(endless, f)
			continue
		}
		if _, full := u.full[key{f.School, f.Name}]; full {
			continue
		}
		i, found := at[f.School]
		switch last := u.served[f.School]; {
		case !found:
			at[f.School] = len(ending)
			ending = append(ending, f)
		case ending[i].Name <= last && f.Name > last:
			ending[i] = f
		}
	}
	u.served = map[school.ID]string{}
	for _, f := range ending {
		u.served[f.School] = f.Name
	}
	return append(endless, ending...)
}

// pause leaves out a full follower for fullPause, and reports whether the school has another one with
// an end that is due.
func (u *Followers) pause(f change.Follower, due []change.Follower) (other bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.full[key{f.School, f.Name}] = u.deps.Clock.Now().Add(fullPause)
	return slices.ContainsFunc(due, func(o change.Follower) bool {
		_, full := u.full[key{o.School, o.Name}]
		return o.School == f.School && o.Until > 0 && !full
	})
}
