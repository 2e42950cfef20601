package signin

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

const (
	// Kind is the kind of the jobs that deliver sign-in links to people.
	Kind job.Kind = "sign_in_link"
	// StrangerKind is the kind of the jobs that deliver sign-in links to addresses that belong to no
	// person. A job of Kind becomes one of StrangerKind when it finds no person. The kinds have
	// workers of their own, so that strangers do not delay emails to people.
	StrangerKind job.Kind = "stranger_sign_in_link"
)

const (
	// LinkLifetime is how long a link can be used after it was sent.
	LinkLifetime = 15 * time.Minute
	// RequestLifetime is how long a link may wait for its delivery.
	RequestLifetime = time.Hour
	// RequestInterval is the minimum interval between two links to the same address, and
	// LaterInterval that after RequestsAtOnce links in an hour. Everyone can request emails to an
	// address, so that without these limits a few addresses would be enough to use up the daily
	// emails of a school. LaterInterval is shorter than LinkLifetime: while strangers request links
	// for a person, the latest one still works.
	RequestInterval = time.Minute
	LaterInterval   = 10 * time.Minute
	RequestsAtOnce  = 6
	// maxReturn is the maximum length of the path to which a link leads, in bytes.
	maxReturn = 500
)

// LinkID identifies a link.
type LinkID struct{ uuid.UUID }

// Link is a one-time link that signs in the person with an email address. It is requested first,
// and gets its token when it is sent.
type Link struct {
	ID        LinkID
	Address   invitation.Address // hash of the email address; zero: a used entry link
	Email     string             // blank: a used entry link, or a link that is not sent
	Hash      Hash               // zero: not sent yet
	Mailed    bool               // whether it is sent by email; false: the operator or a system passes it on
	ForKnown  bool               // whether it is sent only to the address of a person, and not to a stranger in an open school
	Return    string             // path in the academy to which the person returns; blank: the start page
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // zero: not used yet
}

// NewLink returns a link to school s that is requested now for an email address, which must satisfy
// text.Email. It ignores a returnTo that does not satisfy CheckReturn.
func NewLink(id LinkID, s school.ID, email, returnTo string, now time.Time) (Link, error) {
	email, err := text.Email("email", email)
	if CheckReturn(returnTo) != nil {
		returnTo = ""
	}
	return Link{
		ID: id, Address: invitation.HashAddress(s, email), Email: email, Return: returnTo,
		CreatedAt: now, ExpiresAt: now.Add(RequestLifetime),
	}, err
}

// MayRequest reports whether another email to an address may be requested now. lately is the number
// of mailed links to the address in the last hour, and last is the time of the latest one. A time
// that is later than now by more than LaterInterval was set by a wrong clock, and does not count.
func MayRequest(lately int, last, now time.Time) bool {
	interval := RequestInterval
	if lately >= RequestsAtOnce {
		interval = LaterInterval
	}
	return !now.Before(last.Add(interval)) || last.Sub(now) > LaterInterval
}

// Revoke erases what identifies a person, and the token, so that the link is not sent and cannot be
// used. Its return path can contain search words. The hash of the address remains, so that more
// requests for the address are counted.
func (l *Link) Revoke(now time.Time) {
	l.Email, l.Return, l.Hash = "", "", Hash{}
	if now.Before(l.ExpiresAt) {
		l.ExpiresAt = now
	}
}

// Send sets the token of the link, which can be used for LinkLifetime.
func (l *Link) Send(token string, now time.Time) {
	l.Hash, l.ExpiresAt = HashToken(token), now.Add(LinkLifetime)
}

// Pending reports whether the link is neither used nor expired at the time now.
func (l Link) Pending(now time.Time) bool { return l.UsedAt.IsZero() && now.Before(l.ExpiresAt) }

// Unusable returns the fault, Gone, of every link that cannot be used. It does not reveal the reason.
func Unusable() error { return fault.Gonef("This link has already been used or has expired") }

// CheckUsable returns Unusable unless the link can be used at the time now.
func (l Link) CheckUsable(now time.Time) error {
	if l.Hash == (Hash{}) || !l.Pending(now) {
		return Unusable()
	}
	return nil
}

// Use marks the link as used.
func (l *Link) Use(now time.Time) { l.UsedAt = now }

// SameAddress reports whether two email addresses differ at most in the case of ASCII letters. It is
// stricter than the comparison by which the addresses of people are unique (text.UniqueKey), under
// which addresses of different mailboxes can be equal.
func SameAddress(a, b string) bool { return lowerASCII(a) == lowerASCII(b) }

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// CheckReturn returns a fault unless s is a path below the academy of a school, such as /courses.
// Sign-in links therefore never lead to another site.
func CheckReturn(s string) error {
	if s == "" || s[0] != '/' || strings.HasPrefix(s, "//") || len(s) > maxReturn || strings.Contains(s, "..") ||
		strings.Contains(strings.ToLower(s), "%2e") || // browsers treat %2e%2e as ..
		strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == '\\' || r >= 0x7f }) {
		return fault.Invalidf("return", "is not a path of the academy")
	}
	return nil
}

// Message is the content of an email with a sign-in link.
type Message struct {
	ID     job.ID // the same if the message is delivered again
	School string // the school's name
	Slug   string // the school's slug
	To     string // the email address
	Name   string // the person's full name; blank if the person is new
	Token  string // secret token of the link

	ExpiresAt time.Time // when the link expires
}
