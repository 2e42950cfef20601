package format

import "encoding/json"

// Format is the version of the format that this package writes and reads.
const Format = 1

// The kinds of line, in the order in which they are written.
const (
	SchoolKind      = "school"
	APIKeyKind      = "api_key"
	PropertyKind    = "property"
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

// Each type is the record of one kind of line. An optional field is a pointer, or its comment says
// what its zero value means. An export contains IDs only on request, and never API keys or
// invitations. An import that creates a school reads all three; other imports ignore them.
type (
	// School is the first line.
	School struct {
		Kind           string  `json:"kind"`
		Format         int     `json:"format"`
		Name           string  `json:"name"`
		Slug           string  `json:"slug,omitempty"`           // blank: generated from the name
		PublicCovers   bool    `json:"public_covers,omitempty"`  // whether visitors see the covers of courses
		Authentication string  `json:"authentication,omitempty"` // blank: preregistration
		CreatedAt      Instant `json:"created_at,omitzero"`      // zero, here and below: the time of the import
		UpdatedAt      Instant `json:"updated_at,omitzero"`      // zero, here and below: CreatedAt
		ID             ID      `json:"id,omitzero"`
		Changes        string  `json:"changes,omitempty"` // position in the change feed, for readers of an export; imports ignore it
	}

	// APIKey is an API key of the school.
	APIKey struct {
		Kind   string `json:"kind"`
		Name   string `json:"name"`
		Secret string `json:"secret"`
		Scope  string `json:"scope,omitempty"` // blank: admin
		ID     ID     `json:"id,omitzero"`
	}

	// Category is a category of courses.
	Category struct {
		Kind      string  `json:"kind"`
		Name      string  `json:"name"`
		CreatedAt Instant `json:"created_at,omitzero"`
		UpdatedAt Instant `json:"updated_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}

	// Coupon is a coupon.
	Coupon struct {
		Kind          string      `json:"kind"`
		Code          string      `json:"code"`
		Currency      *string     `json:"currency_code"`
		Enabled       *bool       `json:"enabled,omitempty"` // absent: true
		StartOn       *string     `json:"start_on"`
		EndOn         *string     `json:"end_on,omitempty"` // absent or blank: no end
		Format        *string     `json:"format"`
		Value         json.Number `json:"value"`
		UsagesCount   int64       `json:"usages_count,omitempty"`
		MaximumUsages *int64      `json:"maximum_usages"`
		CreatedAt     Instant     `json:"created_at,omitzero"`
		UpdatedAt     Instant     `json:"updated_at,omitzero"`
		ID            ID          `json:"id,omitzero"`
	}

	// Person is a person.
	Person struct {
		Kind         string          `json:"kind"`
		Email        string          `json:"email"`
		FirstName    *string         `json:"first_name,omitempty"`
		LastName     *string         `json:"last_name,omitempty"`
		AvatarURL    *string         `json:"custom_avatar_url,omitempty"` // blank: none
		Unsubscribed *bool           `json:"unsubscribed,omitempty"`      // absent: false
		ActivatedAt  Instant         `json:"activated_at,omitzero"`       // zero: not activated
		Properties   json.RawMessage `json:"properties,omitempty"`        // absent: unchanged
		CreatedAt    Instant         `json:"created_at,omitzero"`
		UpdatedAt    Instant         `json:"updated_at,omitzero"`
		ID           ID              `json:"id,omitzero"`
	}

	// Invitation is an invitation that was already sent.
	Invitation struct {
		Kind      string  `json:"kind"`
		Person    string  `json:"person"`
		Token     string  `json:"token"` // token of the invitation link
		CreatedAt Instant `json:"created_at,omitzero"`
		ExpiresAt Instant `json:"expires_at,omitzero"` // zero: after invitation.LinkLifetime
	}

	// Partner identifies a partnership by person and role.
	Partner struct {
		Person string `json:"person"`
		Role   string `json:"role"`
	}

	// Partnership is a person's role in running the school.
	Partnership struct {
		Kind      string  `json:"kind"`
		Person    string  `json:"person"`
		Role      string  `json:"role"`
		CreatedAt Instant `json:"created_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}

	// Redemption is a redemption of a coupon by a person.
	Redemption struct {
		Kind      string  `json:"kind"`
		Coupon    string  `json:"coupon"` // a code
		Person    string  `json:"person"`
		CreatedAt Instant `json:"created_at"`
		ID        ID      `json:"id,omitzero"`
	}

	// Course is a course.
	Course struct {
		Kind        string          `json:"kind"`
		Permalink   string          `json:"permalink"`
		Name        string          `json:"name"`
		EnrollToken string          `json:"enroll_token,omitempty"` // blank: generated
		Categories  []string        `json:"categories,omitzero"`    // nil: unchanged
		Instructors []Partner       `json:"instructors,omitzero"`   // nil: unchanged
		Properties  json.RawMessage `json:"properties,omitempty"`   // absent: unchanged
		CreatedAt   Instant         `json:"created_at,omitzero"`
		UpdatedAt   Instant         `json:"updated_at,omitzero"`
		ID          ID              `json:"id,omitzero"`
	}

	// Quiz is a quiz with its questions.
	Quiz struct {
		Kind      string     `json:"kind"`
		Name      string     `json:"name"`
		Nth       int        `json:"nth,omitempty"` // number among the quizzes with that name; 0 means 1
		Questions []Question `json:"questions"`
		CreatedAt Instant    `json:"created_at,omitzero"`
		UpdatedAt Instant    `json:"updated_at,omitzero"`
		ID        ID         `json:"id,omitzero"`
	}

	// Question is a question of a quiz.
	Question struct {
		Key      string   `json:"key,omitempty"` // within the quiz; blank: generated from its position
		Text     string   `json:"text"`
		Choices  []Choice `json:"choices"`
		Archived bool     `json:"archived,omitempty"` // archived questions come after the others
		ID       ID       `json:"id,omitzero"`
	}

	// Choice is a choice of a question.
	Choice struct {
		Text    string `json:"text"`
		Correct bool   `json:"correct,omitempty"`
	}

	// Assignment is an assignment.
	Assignment struct {
		Kind      string  `json:"kind"`
		Title     string  `json:"title"`
		Nth       int     `json:"nth,omitempty"`
		CreatedAt Instant `json:"created_at,omitzero"`
		UpdatedAt Instant `json:"updated_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}

	// Activity is an activity of a course.
	Activity struct {
		Kind   string `json:"kind"`
		Course string `json:"course"`
		Title  string `json:"title"`
		// Nth is the number among the course's activities with the same title; 0 means 1.
		Nth int `json:"nth,omitempty"`
		// Key is unique within the course; blank: generated from the title.
		Key string `json:"key,omitempty"`
		// Position is the 1-based position in the course; 0: after the previous activity.
		Position      int     `json:"position,omitempty"`
		Type          string  `json:"type"`
		Seconds       int64   `json:"seconds,omitempty"`   // video only
		VideoURL      *string `json:"video_url,omitempty"` // video only; absent: unchanged, blank: none
		Text          *string `json:"text,omitempty"`      // Markdown; absent: unchanged, blank: none
		Quiz          string  `json:"quiz,omitempty"`
		QuizNth       int     `json:"quiz_nth,omitempty"`
		Assignment    string  `json:"assignment,omitempty"`
		AssignmentNth int     `json:"assignment_nth,omitempty"`
		ArchivedAt    Instant `json:"archived_at,omitzero"` // zero: not archived
		CreatedAt     Instant `json:"created_at,omitzero"`
		UpdatedAt     Instant `json:"updated_at,omitzero"`
		ID            ID      `json:"id,omitzero"`
	}

	// Group is a group.
	Group struct {
		Kind        string          `json:"kind"`
		Name        string          `json:"name"`
		EnrollToken string          `json:"enroll_token,omitempty"` // blank: generated
		Properties  json.RawMessage `json:"properties,omitempty"`   // absent: unchanged
		CreatedAt   Instant         `json:"created_at,omitzero"`
		UpdatedAt   Instant         `json:"updated_at,omitzero"`
		ID          ID              `json:"id,omitzero"`
	}

	// GroupCourse is a course of a group.
	GroupCourse struct {
		Kind   string `json:"kind"`
		Group  string `json:"group"`
		Course string `json:"course"`
	}

	// Membership is a role of a person in a group.
	Membership struct {
		Kind      string  `json:"kind"`
		Group     string  `json:"group"`
		Person    string  `json:"person"`
		Role      string  `json:"role"`
		CreatedAt Instant `json:"created_at,omitzero"`
		UpdatedAt Instant `json:"updated_at,omitzero"`
		ID        ID      `json:"id,omitzero"`
	}

	// Enrollment is a role of a person in a course.
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
