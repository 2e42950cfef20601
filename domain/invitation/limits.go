package invitation

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

const (
	// MessagesPerDay is the default limit of invitation emails per school and day. It lets a large
	// course start within a day, but makes a stolen key of little use for spam.
	MessagesPerDay = 5000
	// DeliveryLifetime is how long a Delivery is kept. It must be at least ResendInterval, but
	// otherwise as short as possible, because a Delivery contains the hash of an address.
	DeliveryLifetime = 24 * time.Hour
)

// Address is the hash of an email address for a school: the SHA-256 of the school's ID and the
// unique key of the address. The same address has a different hash in each school.
type Address [sha256.Size]byte

// HashAddress returns the Address for an email address.
func HashAddress(s school.ID, email string) Address {
	return sha256.Sum256(append(s.UUID[:], text.UniqueKey(email)...))
}

// HashStranger returns the Address that counts emails to an address that belongs to no person of the
// school. It ignores a tag, the part of the local part after a plus sign: at most providers, all
// tags lead to one mailbox. It differs from HashAddress for an address with a tag, so that emails to
// strangers do not delay those to a person with the same address without a tag.
func HashStranger(s school.ID, email string) Address {
	key := text.UniqueKey(email)
	at := strings.LastIndexByte(key, '@')
	if name, _, tagged := strings.Cut(key[:at], "+"); tagged {
		name = strings.TrimPrefix(name, `"`) // a quoted local part names the same mailbox
		key = "\x00" + name + key[at:]       // no address contains a control character
	}
	return sha256.Sum256(append(s.UUID[:], key...))
}

// Delivery is the latest invitation email to an address: it was passed to the mail server or is
// about to be.
type Delivery struct {
	Address   Address
	MessageID job.ID
	At        time.Time
}

// Retries reports whether d is another attempt to deliver the message of last.
func (d Delivery) Retries(last Delivery) bool {
	return d.MessageID == last.MessageID && d.Address == last.Address
}

// Day counts the invitation emails of a school in a day.
type Day struct {
	Start    time.Time // midnight UTC
	Messages int       // retries of a message are not counted
}

// Limits limits the invitation emails of a school, in addition to ResendInterval.
type Limits struct {
	PerDay int // messages of the school in a day (UTC); 0: no limit
}

// ForStrangers returns the limits of emails to addresses that belong to no person of the school.
// Everyone can request them from an open school, so they leave half of the emails of a day for the
// people of the school.
func (l Limits) ForStrangers() Limits {
	if l.PerDay > 0 {
		l.PerDay = max(1, l.PerDay/2)
	}
	return l
}

// Claim decides whether d may be sent at d.At. last is the latest delivery to the same address
// (zero if there is none), and day counts the emails of the school. Claim returns the updated
// counter, or a job.Hold if d must wait. It must not be called if d.Retries(last), because it would
// count the message again.
func (l Limits) Claim(d, last Delivery, day Day) (Day, *job.Hold) {
	if today := d.At.UTC().Truncate(24 * time.Hour); day.Start.Before(today) {
		day = Day{Start: today}
	}
	if l.PerDay > 0 && day.Messages >= l.PerDay {
		return day, &job.Hold{
			Until: day.Start.Add(24 * time.Hour),
			Cause: fmt.Sprintf("held: the school has reached its limit of %d invitation emails today (UTC)", day.Messages),
		}
	}
	if again := last.At.Add(ResendInterval); last.Address == d.Address && d.At.Before(again) {
		return day, &job.Hold{Until: again, Cause: "held: another invitation email was sent to this address less than a minute ago"}
	}
	day.Messages++
	return day, nil
}
