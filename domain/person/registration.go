package person

import "time"

// Status is how far a person's registration has come.
type Status struct{ name string }

// The registration statuses.
var (
	NotActivated = Status{"not_activated"}
	Activated    = Status{"activated"}
)

// String returns the status's name.
func (s Status) String() string { return s.name }

// Status returns the person's registration status: NotActivated until the
// invitation is accepted, then Activated.
func (s State) Status() Status { return Status{status(&Summary{State: s})} }

var status = Schema.Text("registration_status")

// Activate records that the person accepted the invitation. A second time
// changes nothing.
func (p *Person) Activate(now time.Time) {
	if p.s.ActivatedAt == nil {
		p.s.ActivatedAt, p.s.UpdatedAt = &now, now
	}
}
