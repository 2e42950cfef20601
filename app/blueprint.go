package app

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/coupon"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Blueprint is a whole school as plain data, to be built by Provision. Its parts
// refer to each other by what people know them by: a category or a quiz by name,
// a person by e-mail address, a course by permalink, an assignment or an activity
// by title. A zero id or time is made when the school is built.
type Blueprint struct {
	School      SchoolPlan
	Keys        []KeyPlan
	Categories  []CategoryPlan
	Coupons     []CouponPlan
	People      []PersonPlan
	Quizzes     []QuizPlan
	Assignments []AssignmentPlan
	Courses     []CoursePlan
	Groups      []GroupPlan
}

// SchoolPlan is the school itself; a zero Auth is preregistration.
type SchoolPlan struct {
	ID        uuid.UUID
	Name      string
	Auth      school.AuthMethod
	CreatedAt time.Time
}

// KeyPlan is an API key; a blank Secret is made, no scope is school.Admin.
type KeyPlan struct {
	ID           uuid.UUID
	Name, Secret string
	Scope        school.Scope
}

// CategoryPlan is a category.
type CategoryPlan struct {
	ID        uuid.UUID
	Name      string
	CreatedAt time.Time
}

// CouponPlan is a coupon. Its usages count has the redemptions in it.
type CouponPlan struct {
	ID          uuid.UUID
	Terms       coupon.Terms
	Redemptions []RedemptionPlan
	CreatedAt   time.Time
}

// RedemptionPlan is one use of a coupon.
type RedemptionPlan struct {
	Email string
	At    time.Time
}

// PersonPlan is a person with the roles in which they help to run the school.
type PersonPlan struct {
	ID         uuid.UUID
	Profile    person.Profile
	Activated  bool
	Invitation *InvitationPlan // nil: nobody has invited them
	Roles      []person.Role
	CreatedAt  time.Time
}

// InvitationPlan is an invitation whose letter has been delivered; a blank Token
// is made, a zero Until is as long after the building as links usually hold.
type InvitationPlan struct {
	Token string // of the link
	At    time.Time
	Until time.Time // when the link expires
}

// CoursePlan is a course with its activities, its people and what they have done
// in it; a blank Permalink is made of the name.
type CoursePlan struct {
	ID              uuid.UUID
	Name, Permalink string
	Categories      []string // names
	Instructors     []string // e-mail addresses of people with a role
	Token           string   // of the enrollment link; blank: made
	Activities      []ActivityPlan
	Places          []PlacePlan
	Facts           []FactPlan
	CreatedAt       time.Time
}

// PlacePlan is an enrollment.
type PlacePlan struct {
	Email string
	Role  enrollment.Role
}

// GroupPlan is a group; its members are enrolled in its courses.
type GroupPlan struct {
	ID                uuid.UUID
	Name              string
	Courses           []string // permalinks
	Members, Managers []string // e-mail addresses
	Token             string   // of the enrollment link; blank: made
	CreatedAt         time.Time
}
