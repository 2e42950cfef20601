package lyceum

import (
	"context"
	"net/http"
	"time"
)

// People manages the learners and the staff of the school.
type People struct {
	Lister[Person]
	Getter[Person]
	Creator[NewPerson, Person]
	Updater[ChangedPerson, Person]
	Deleter
}

// Enroll makes the person a learner of the courses. Existing enrollments remain unchanged.
func (p People) Enroll(ctx context.Context, personID string, courseIDs ...string) error {
	return refer(ctx, p.courses(personID), http.MethodPost, "enrolled-courses", courseIDs)
}

// Unenroll ends the enrollments of the person in the courses.
func (p People) Unenroll(ctx context.Context, personID string, courseIDs ...string) error {
	return refer(ctx, p.courses(personID), http.MethodDelete, "enrolled-courses", courseIDs)
}

func (p People) courses(personID string) endpoint {
	return p.Lister.at(personID, "relationships", "courses")
}

// Invitation returns the latest invitation of the person.
func (p People) Invitation(ctx context.Context, personID string) (Invitation, error) {
	return fetch[Invitation](ctx, p.Lister.at(personID, "invitation"), http.MethodGet, nil)
}

// Invite sends the person another invitation email.
func (p People) Invite(ctx context.Context, personID string, options ...RequestOption) (Invitation, error) {
	return fetch[Invitation](ctx, p.Lister.at(personID, "invitation"), http.MethodPost, nil, options...)
}

// CreateToken returns a token with which the person may use the API for the given time, at most 24
// hours: New with the token makes a client of the learner. A lifetime of 0 means an hour.
func (p People) CreateToken(ctx context.Context, personID string, lifetime time.Duration, options ...RequestOption) (LearnerToken, error) {
	body := resource{Type: "learner_tokens"}
	if lifetime > 0 {
		body.Attributes = map[string]any{"expires_in": int(lifetime.Seconds())}
	}
	return fetch[LearnerToken](ctx, p.Lister.at(personID, "tokens"), http.MethodPost, body, options...)
}

// RevokeTokens ends all tokens of the person.
func (p People) RevokeTokens(ctx context.Context, personID string) error {
	return p.Lister.client.send(ctx, http.MethodDelete, p.Lister.at(personID, "tokens").url(), nil, nil)
}

// Partnerships manages the roles of people in running the school.
type Partnerships struct {
	Lister[Partnership]
	Getter[Partnership]
	Deleter
}

// Create gives the person a role: owner, manager or instructor.
func (p Partnerships) Create(ctx context.Context, personID, role string, options ...RequestOption) (Partnership, error) {
	body := resource{
		Attributes:    NewPartnership{Role: role},
		Relationships: map[string]any{"person": toOne("people", personID)},
	}
	return fetch[Partnership](ctx, p.Lister.endpoint, http.MethodPost, body, options...)
}
