package demo

import (
	"github.com/google/uuid"
	schools "lyceum/domain/school"
)

// SchoolID is the ID of the demo school.
var SchoolID = schools.ID{UUID: uuid.MustParse("399062b3-4249-5228-bd26-cca58119325d")}

// Slug is the slug of the demo school.
const Slug = "riverside-academy"

// Visitor is a person of the demo school as whom visitors can try a role.
type Visitor struct{ Role, Email string }

// Visitors returns one person of the demo school for each role: owner, instructor and learner.
func Visitors() []Visitor {
	return []Visitor{
		{"owner", "eleanor.hartley@example.test"},
		{"instructor", "ines.carvalho@example.test"},
		{"learner", "jiwoo.park@example.test"},
	}
}
