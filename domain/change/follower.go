package change

import "lyceum/domain/school"

// New is the position of a follower that has not started.
const New = -1

// Follower is a reader of the change feed of a school whose position the store keeps.
type Follower struct {
	School   school.ID
	Name     string // unique in the school
	Position int64  // position of the last change that was processed; 0: none; New: not started
	Until    int64  // position of the last change to process; 0: the follower never ends
}
