package format

import "encoding/json"

// The kinds of what is learned, and the marks between lines.
type (
	// Attempt is a run through a course with what was completed in it.
	Attempt struct {
		Kind      string       `json:"kind"`
		Course    string       `json:"course"`
		Person    string       `json:"person"`
		Number    int          `json:"number"`
		StartedAt Instant      `json:"started_at,omitzero"` // zero: when it is read
		Completed []Completion `json:"completed,omitempty"`
		ID        ID           `json:"id,omitzero"`
	}

	// Completion is an activity of the course that is completed.
	Completion struct {
		Activity string  `json:"activity"`
		Nth      int     `json:"nth,omitempty"`
		At       Instant `json:"at"`
	}

	// QuizAttempt is a run through the quiz of an activity.
	QuizAttempt struct {
		Kind        string   `json:"kind"`
		Course      string   `json:"course"`
		Person      string   `json:"person"`
		Attempt     int      `json:"attempt"` // number of the course attempt
		Activity    string   `json:"activity"`
		ActivityNth int      `json:"activity_nth,omitempty"`
		Number      int      `json:"number"`
		StartedAt   Instant  `json:"started_at,omitzero"` // zero: when it is read
		Answers     []Answer `json:"answers"`
		ID          ID       `json:"id,omitzero"`
	}

	// Answer is the answer to a question.
	Answer struct {
		Question int     `json:"question"`         // its place in the quiz, from 1
		Number   int     `json:"number,omitempty"` // its place when it was answered; 0: the same
		Of       int     `json:"of,omitempty"`     // questions that the quiz had then; 0: as many as it has
		Response string  `json:"response"`
		Correct  bool    `json:"correct,omitempty"`
		At       Instant `json:"at"`
	}

	// Submission is a file that was handed in. Its bytes follow as parts, unless they
	// are the Text.
	Submission struct {
		Kind        string  `json:"kind"`
		Course      string  `json:"course"`
		Person      string  `json:"person"`
		Attempt     int     `json:"attempt"`
		Activity    string  `json:"activity"`
		ActivityNth int     `json:"activity_nth,omitempty"`
		Name        string  `json:"name"`
		MediaType   string  `json:"media_type,omitempty"`
		Size        int64   `json:"size"`
		Text        string  `json:"text,omitempty"`
		Lost        bool    `json:"lost,omitempty"` // the bytes were not to be had
		CreatedAt   Instant `json:"created_at,omitzero"`
		ID          ID      `json:"id,omitzero"`
	}

	// Part is some of the bytes of the submission before it.
	Part struct {
		Kind string `json:"kind"`
		Data []byte `json:"data"`
	}

	// Event is an entry of the feed.
	Event struct {
		Kind        string      `json:"kind"`
		Type        string      `json:"type"`
		Person      string      `json:"person"`
		Course      string      `json:"course"`
		Activity    string      `json:"activity"`
		ActivityNth int         `json:"activity_nth,omitempty"`
		Watched     json.Number `json:"percentage_watched,omitempty"`
		CreatedAt   Instant     `json:"created_at"`
		OccurredAt  Instant     `json:"occurred_at,omitzero"`
		ClientID    string      `json:"client_id,omitempty"`
	}

	// End is the last line. A file without it is cut off.
	End struct {
		Kind  string `json:"kind"`
		Lines int64  `json:"lines,omitempty"` // before this one, blank ones left out; 0: not counted
	}
)

// kinds makes an empty record of each kind.
var kinds = map[string]func() any{
	SchoolKind:      func() any { return new(School) },
	APIKeyKind:      func() any { return new(APIKey) },
	CategoryKind:    func() any { return new(Category) },
	CouponKind:      func() any { return new(Coupon) },
	PersonKind:      func() any { return new(Person) },
	InvitationKind:  func() any { return new(Invitation) },
	PartnershipKind: func() any { return new(Partnership) },
	RedemptionKind:  func() any { return new(Redemption) },
	CourseKind:      func() any { return new(Course) },
	QuizKind:        func() any { return new(Quiz) },
	AssignmentKind:  func() any { return new(Assignment) },
	ActivityKind:    func() any { return new(Activity) },
	GroupKind:       func() any { return new(Group) },
	GroupCourseKind: func() any { return new(GroupCourse) },
	MembershipKind:  func() any { return new(Membership) },
	EnrollmentKind:  func() any { return new(Enrollment) },
	AttemptKind:     func() any { return new(Attempt) },
	QuizAttemptKind: func() any { return new(QuizAttempt) },
	SubmissionKind:  func() any { return new(Submission) },
	PartKind:        func() any { return new(Part) },
	EventKind:       func() any { return new(Event) },
	EndKind:         func() any { return new(End) },
}

// Kinds returns every kind of line, in the order in which they are written.
func Kinds() []string {
	return []string{
		SchoolKind, APIKeyKind, CategoryKind, CouponKind, PersonKind, InvitationKind, PartnershipKind, RedemptionKind,
		CourseKind, QuizKind, AssignmentKind, ActivityKind, GroupKind, GroupCourseKind, MembershipKind, EnrollmentKind, AttemptKind, QuizAttemptKind,
		SubmissionKind, PartKind, EventKind, EndKind,
	}
}
