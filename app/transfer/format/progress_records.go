package format

import "encoding/json"

// Records of learner data, and the lines that structure a file.
type (
	// Attempt is a course attempt with its completions.
	Attempt struct {
		Kind      string       `json:"kind"`
		Course    string       `json:"course"`
		Person    string       `json:"person"`
		Number    int          `json:"number"`
		StartedAt Instant      `json:"started_at,omitzero"` // zero: the time of the import
		Completed []Completion `json:"completed,omitempty"`
		ID        ID           `json:"id,omitzero"`
	}

	// Completion is a completed activity.
	Completion struct {
		Activity string  `json:"activity"`
		Nth      int     `json:"nth,omitempty"`
		At       Instant `json:"at"`
	}

	// QuizAttempt is a quiz attempt with its answers.
	QuizAttempt struct {
		Kind        string   `json:"kind"`
		Course      string   `json:"course"`
		Person      string   `json:"person"`
		Attempt     int      `json:"attempt"` // number of the course attempt
		Activity    string   `json:"activity"`
		ActivityNth int      `json:"activity_nth,omitempty"`
		Number      int      `json:"number"`
		StartedAt   Instant  `json:"started_at,omitzero"` // zero: the time of the import
		Answers     []Answer `json:"answers"`
		ID          ID       `json:"id,omitzero"`
	}

	// Answer is the answer to a question.
	Answer struct {
		Question int `json:"question"` // number of the question in the quiz, 1-based
		// Number is the question's number at the time of the answer; 0: equal to Question.
		Number int `json:"number,omitempty"`
		// Of is the number of questions in the quiz at the time of the answer; 0: the current
		// number.
		Of       int     `json:"of,omitempty"`
		Response string  `json:"response"`
		Correct  bool    `json:"correct,omitempty"`
		At       Instant `json:"at"`
	}

	// Submission is a submitted file. Its bytes are in Text, or follow as chunks.
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
		Missing     bool    `json:"lost,omitempty"` // the export could not read the bytes
		CreatedAt   Instant `json:"created_at,omitzero"`
		ID          ID      `json:"id,omitzero"`
	}

	// Chunk is a part of the bytes of the preceding submission.
	Chunk struct {
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

	// End is the last line. A file without it is truncated.
	End struct {
		Kind  string `json:"kind"`
		Lines int64  `json:"lines,omitempty"` // number of preceding lines that are not blank; 0: unknown
	}
)

// kinds maps each kind to a function that returns a pointer to an empty record.
var kinds = map[string]func() any{
	SchoolKind:      func() any { return new(School) },
	APIKeyKind:      func() any { return new(APIKey) },
	PropertyKind:    func() any { return new(Property) },
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
	PartKind:        func() any { return new(Chunk) },
	EventKind:       func() any { return new(Event) },
	EndKind:         func() any { return new(End) },
}

// Kinds returns all kinds of line, in the order in which they are written.
func Kinds() []string {
	return []string{
		SchoolKind, APIKeyKind, PropertyKind, CategoryKind, CouponKind, PersonKind, InvitationKind, PartnershipKind, RedemptionKind,
		CourseKind, QuizKind, AssignmentKind, ActivityKind, GroupKind, GroupCourseKind, MembershipKind, EnrollmentKind, AttemptKind, QuizAttemptKind,
		SubmissionKind, PartKind, EventKind, EndKind,
	}
}
