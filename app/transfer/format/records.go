package format

import "encoding/json"

// Format is the version of the format that this package writes and reads.
const Format = 1

// The kinds of line, in the order in which they are written.
const (
	SchoolKind      = "school"
	APIKeyKind      = "api_key"
	CategoryKind    = "category"
	CouponKind      = "coupon"
	PersonKind      = "person"
	InvitationKind  = "invitation"
	PartnershipKind = "partnership"
	RedemptionKind  = "redemption"
	CourseKind      = "course"
	QuizKind        = "quiz"
	AssignmentKind  = "assignment"
	ActivityKind    = "activity"
	GroupKind       = "group"
	GroupCourseKind = "group_course"
	MembershipKind  = "membership"
	EnrollmentKind  = "enrollment"
	AttemptKind     = "attempt"
	QuizAttemptKind = "quiz_attempt"
	SubmissionKind  = "submission"
	PartKind        = "part"
	EventKind       = "event"
	EndKind         = "end"
)

// The kinds of a line's record. A member that a file may leave out is a pointer,
// or means by its zero value what the comment says. An export writes no ID, API
// key or invitation: a file made by hand may have them for a new school.
type (
	// School is the school itself.
	School struct {
		Kind           string  `json:"kind"`
		Format         int     `json:"format"`
		Name           string  `json:"name"`
		Authentication string  `json:"authentication,omitempty"` // blank: preregistration
		CreatedAt      Instant `json:"created_at,omitzero"`      // here and below, zero: when it is read
		UpdatedAt      Instant `json:"updated_at,omitzero"`      // here and below, zero: as CreatedAt
		ID             ID      `json:"id,omitzero"`
	}

	// APIKey is an API key of the school.
	APIKey struct {
		Kind   string `json:"kind"`
		Name   string `json:"name"`
		Secret string `json:"secret"`
		Scope  string `json:"scope,omitempty"` // blank: admin
		ID     ID     `json:"id,omitzero"`
	}

	// Category is a heading for courses.
	Category struct {
		Kind      string  `json:"kind"`
		Name      string  `json:"name"`
		CreatedAt Instant `json:"created_at,omitzero"`
		UpdatedAt Instant `json:"updated_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}

	// Coupon is a reduction of a price.
	Coupon struct {
		Kind          string      `json:"kind"`
		Code          string      `json:"code"`
		Currency      *string     `json:"currency_code"`
		Enabled       *bool       `json:"enabled,omitempty"` // absent: true
		StartOn       *string     `json:"start_on"`
		EndOn         *string     `json:"end_on,omitempty"` // absent or blank: it never ends
		Format        *string     `json:"format"`
		Value         json.Number `json:"value"`
		UsagesCount   int64       `json:"usages_count,omitempty"`
		MaximumUsages *int64      `json:"maximum_usages"`
		CreatedAt     Instant     `json:"created_at,omitzero"`
		UpdatedAt     Instant     `json:"updated_at,omitzero"`
		ID            ID          `json:"id,omitzero"`
	}

	// Person is somebody the school knows.
	Person struct {
		Kind         string  `json:"kind"`
		Email        string  `json:"email"`
		FirstName    *string `json:"first_name,omitempty"`
		LastName     *string `json:"last_name,omitempty"`
		AvatarURL    *string `json:"custom_avatar_url,omitempty"` // blank: none
		Unsubscribed *bool   `json:"unsubscribed,omitempty"`      // absent: false
		ActivatedAt  Instant `json:"activated_at,omitzero"`       // zero: not activated
		CreatedAt    Instant `json:"created_at,omitzero"`
		UpdatedAt    Instant `json:"updated_at,omitzero"`
		ID           ID      `json:"id,omitzero"`
	}

	// Invitation is an invitation whose message has been delivered.
	Invitation struct {
		Kind      string  `json:"kind"`
		Person    string  `json:"person"`
		Token     string  `json:"token"` // of the invitation link
		CreatedAt Instant `json:"created_at,omitzero"`
		ExpiresAt Instant `json:"expires_at,omitzero"` // zero: after the lifetime of a link
	}

	// Partner names a partnership: a person in a role.
	Partner struct {
		Person string `json:"person"`
		Role   string `json:"role"`
	}

	// Partnership is a person's part in running the school.
	Partnership struct {
		Kind      string  `json:"kind"`
		Person    string  `json:"person"`
		Role      string  `json:"role"`
		CreatedAt Instant `json:"created_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}

	// Redemption is the use of a coupon by a person.
	Redemption struct {
		Kind      string  `json:"kind"`
		Coupon    string  `json:"coupon"` // a code
		Person    string  `json:"person"`
		CreatedAt Instant `json:"created_at"`
		ID        ID      `json:"id,omitzero"`
	}

	// Course is what the school teaches.
	Course struct {
		Kind        string    `json:"kind"`
		Permalink   string    `json:"permalink"`
		Name        string    `json:"name"`
		EnrollToken string    `json:"enroll_token,omitempty"` // blank: made
		Categories  []string  `json:"categories,omitzero"`    // nil: as they are
		Instructors []Partner `json:"instructors,omitzero"`   // nil: as they are
		CreatedAt   Instant   `json:"created_at,omitzero"`
		UpdatedAt   Instant   `json:"updated_at,omitzero"`
		ID          ID        `json:"id,omitzero"`
	}

	// Quiz is questions with their choices.
	Quiz struct {
		Kind      string     `json:"kind"`
		Name      string     `json:"name"`
		Nth       int        `json:"nth,omitempty"` // of the quizzes of that name; 0: 1
		Questions []Question `json:"questions"`
		CreatedAt Instant    `json:"created_at,omitzero"`
		UpdatedAt Instant    `json:"updated_at,omitzero"`
		ID        ID         `json:"id,omitzero"`
	}

	// Question is a question of a quiz.
	Question struct {
		Key      string   `json:"key,omitempty"` // within the quiz; blank: made of its place
		Text     string   `json:"text"`
		Choices  []Choice `json:"choices"`
		Archived bool     `json:"archived,omitempty"` // asked no more; behind those that are
		ID       ID       `json:"id,omitzero"`
	}

	// Choice is one of the answers that a question offers.
	Choice struct {
		Text    string `json:"text"`
		Correct bool   `json:"correct,omitempty"`
	}

	// Assignment is work to hand in.
	Assignment struct {
		Kind      string  `json:"kind"`
		Title     string  `json:"title"`
		Nth       int     `json:"nth,omitempty"`
		CreatedAt Instant `json:"created_at,omitzero"`
		UpdatedAt Instant `json:"updated_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}

	// Activity is a step of a course.
	Activity struct {
		Kind          string  `json:"kind"`
		Course        string  `json:"course"`
		Title         string  `json:"title"`
		Nth           int     `json:"nth,omitempty"`      // of the course's activities of that title; 0: 1
		Key           string  `json:"key,omitempty"`      // within the course; blank: made of the title
		Position      int     `json:"position,omitempty"` // in the course, from 1; 0: behind those before
		Type          string  `json:"type"`
		Seconds       int64   `json:"seconds,omitempty"` // of a video
		Quiz          string  `json:"quiz,omitempty"`
		QuizNth       int     `json:"quiz_nth,omitempty"`
		Assignment    string  `json:"assignment,omitempty"`
		AssignmentNth int     `json:"assignment_nth,omitempty"`
		ArchivedAt    Instant `json:"archived_at,omitzero"` // zero: the course shows it
		CreatedAt     Instant `json:"created_at,omitzero"`
		UpdatedAt     Instant `json:"updated_at,omitzero"`
		ID            ID      `json:"id,omitzero"`
	}

	// Group is people who learn together.
	Group struct {
		Kind        string  `json:"kind"`
		Name        string  `json:"name"`
		EnrollToken string  `json:"enroll_token,omitempty"` // blank: made
		CreatedAt   Instant `json:"created_at,omitzero"`
		UpdatedAt   Instant `json:"updated_at,omitzero"`
		ID          ID      `json:"id,omitzero"`
	}

	// GroupCourse is a course that a group holds.
	GroupCourse struct {
		Kind   string `json:"kind"`
		Group  string `json:"group"`
		Course string `json:"course"`
	}

	// Membership is a place in a group.
	Membership struct {
		Kind      string  `json:"kind"`
		Group     string  `json:"group"`
		Person    string  `json:"person"`
		Role      string  `json:"role"`
		CreatedAt Instant `json:"created_at,omitzero"`
		UpdatedAt Instant `json:"updated_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}

	// Enrollment is a place in a course.
	Enrollment struct {
		Kind      string  `json:"kind"`
		Course    string  `json:"course"`
		Person    string  `json:"person"`
		Role      string  `json:"role"`
		CreatedAt Instant `json:"created_at,omitzero"`
		UpdatedAt Instant `json:"updated_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}
)
