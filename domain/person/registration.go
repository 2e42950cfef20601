package person

import "time"

// Status is the registration status of a person.
type Status struct{ name string }

// The registration statuses.
var (
	NotActivated = Status{"not_activated"}
	Activated    = Status{"activated"}
)

// String returns the status's name.
func (s Status) String() string { return s.name }

// Status returns Activated if the person has accepted the invitation, and NotActivated otherwise.
func (s State) Status() Status { return Status{status(&Summary{State: s})} }

var status = Schema.Text("registration_status")

// Activate records that the person accepted the invitation. It changes nothing if the person is
// already activated.
func (p *Person) Activate(now time.Time) {
	if p.s.ActivatedAt == nil {
		p.s.ActivatedAt, p.s.UpdatedAt = &now, now
	}
}
