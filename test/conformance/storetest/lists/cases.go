package lists

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Case is a list of ports.Reader with the functions that its tests need.
type Case[T any] struct {
	name   string // name of the field of ports.Reader
	Schema query.Schema[T]
	of     func(ports.Reader) ports.Lister[T]
	// outside is true if ports.Reader has the list but ports.Tx does not.
	outside bool
	// ids returns the ids in a row: its own id, if that is a UUID, followed by the ids of the
	// records that it refers to.
	ids func(T) []uuid.UUID
	// number or key is set if the id of a row is a number or a Token.
	number func(T) int64
	key    func(T) string
	// words are texts that rows contain in addition to the texts that write receives.
	words []string
	// write makes rows from texts and random numbers and saves them in the school. It returns the
	// rows that the list must return.
	write func(s fixture.Tenant, rnd *rand.Rand, texts []string) []T
}

// Each schema has an attribute link, like those that the transport adds.
var (
	keyCase = &Case[school.Key]{
		name:   "Keys",
		Schema: school.KeySchema.With("link", "https://lyceum.test/keys/", "name", ".html"),
		of:     func(r ports.Reader) ports.Lister[school.Key] { return r.Keys },
		ids:    func(row school.Key) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
		words:  []string{"read", "WRIT", "lyc_"},
		write:  writeKeys,
	}
	CategoryCase = &Case[category.State]{
		name:   "Categories",
		Schema: category.Schema.With("link", "https://lyceum.test/a_b%/", "name", "/cover"),
		of:     func(r ports.Reader) ports.Lister[category.State] { return r.Categories },
		ids:    func(row category.State) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
		write:  writeCategories,
	}
	couponCase = &Case[coupon.State]{
		name:   "Coupons",
		Schema: coupon.Schema.With("link", "https://lyceum.test/coupons/", "code", ".html"),
		of:     func(r ports.Reader) ports.Lister[coupon.State] { return r.Coupons },
		ids:    func(row coupon.State) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
		words:  []string{"EUR", "us", "fixed", "PERCENT"},
		write:  writeCoupons,
	}
	CourseCase = &Case[course.Summary]{
		name:   "Courses",
		Schema: course.Schema.With("link", "https://lyceum.test/c/", "enroll_token", "").Extend(propertyAttrs, nil),
		of:     func(r ports.Reader) ports.Lister[course.Summary] { return r.Courses },
		ids: func(row course.Summary) []uuid.UUID {
			return slices.Concat([]uuid.UUID{row.ID.UUID}, plain(row.Categories), plain(row.Instructors))
		},
		write: writeCourses,
	}
	PersonCase = &Case[person.Summary]{
		name:   "People",
		Schema: person.Schema.With("link", "mailto:", "email", "?subject=Hello").Extend(propertyAttrs, nil),
		of:     func(r ports.Reader) ports.Lister[person.Summary] { return r.People },
		ids: func(row person.Summary) []uuid.UUID {
			return append([]uuid.UUID{row.ID.UUID}, plain(row.Partnerships)...)
		},
		words: []string{"activated", "NOT_"},
		write: writePeople,
	}
	partnershipCase = &Case[person.Partnership]{
		name:   "Partnerships",
		Schema: person.PartnershipSchema.With("link", "https://lyceum.test/roles/", "role", ".html"),
		of:     func(r ports.Reader) ports.Lister[person.Partnership] { return r.Partnerships },
		ids:    func(row person.Partnership) []uuid.UUID { return []uuid.UUID{row.ID.UUID, row.Person.UUID} },
		words:  []string{"owner", "INSTRUCT"},
		write:  writePartnerships,
	}
	GroupCase = &Case[group.Summary]{
		name:   "Groups",
		Schema: group.Schema.With("link", "https://lyceum.test/g/", "enroll_token", "").Extend(propertyAttrs, nil),
		of:     func(r ports.Reader) ports.Lister[group.Summary] { return r.Groups },
		ids:    func(row group.Summary) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
		write:  writeGroups,
	}
	membershipCase = &Case[membership.Membership]{
		name:   "Memberships",
		Schema: membership.Schema.With("link", "https://lyceum.test/roles/", "role", ".html"),
		of:     func(r ports.Reader) ports.Lister[membership.Membership] { return r.Memberships },
		ids: func(row membership.Membership) []uuid.UUID {
			return []uuid.UUID{row.ID.UUID, row.Person.UUID, row.Group.UUID}
		},
		words: []string{"member", "MANAG"},
		write: writeMemberships,
	}
)

// List returns the name of the list, a field of ports.Reader.
func (c *Case[T]) List() string { return c.name }

// Cases contains every list in the order of ports.Reader. methods.Complete checks this.
var Cases = []interface {
	List() string
	lists(t *testing.T, b fixture.Backend)
	differ(t *testing.T, b fixture.Backend)
	CheckCopies(t *testing.T, b fixture.Backend)
	PagesInAllOrders(s fixture.Tenant) any
}{
	keyCase, propertyCase, CategoryCase, couponCase, redemptionCase, CourseCase, PersonCase, partnershipCase, enrollmentCase, GroupCase, membershipCase, activityCase, quizCase,
	assignmentCase, submissionCase, eventCase, webhookCase, webhookDeliveryCase, courseAnalyticsCase, scoreCase, answerCase,
	quizAttemptCase, completionCase,
}

// moments contains the times in rows. They are few, so that many rows have the same time. They are
// at the boundaries of days, seconds and milliseconds, where a store may round.
var moments = []time.Time{
	time.Date(2025, 12, 31, 23, 59, 59, 999_000_000, time.UTC),
	time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	time.Date(2026, 1, 1, 0, 0, 0, 1_000_000, time.UTC),
	time.Date(2026, 1, 1, 12, 30, 59, 500_000_000, time.UTC),
	time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
	time.Date(2026, 1, 2, 15, 4, 5, 123_000_000, time.UTC),
}

// plain converts ids to UUIDs.
func plain[ID ~struct{ uuid.UUID }](ids []ID) []uuid.UUID {
	all := make([]uuid.UUID, len(ids))
	for i, id := range ids {
		all[i] = struct{ uuid.UUID }(id).UUID
	}
	return all
}

// Amounts contains the values of coupons.
var Amounts = []string{"0.0001", "0.1", "5", "10.5", "10.0001", "99.99", "100", "1000000000"}

func maybe[E any](rnd *rand.Rand, of []E) *E {
	if rnd.IntN(3) == 0 {
		return nil
	}
	e := fixture.Pick(rnd, of)
	return &e
}

// randomID returns a random id, so that the order of ids differs from the order of writing.
func randomID(rnd *rand.Rand) uuid.UUID {
	var id uuid.UUID
	for i := range id {
		id[i] = byte(rnd.UintN(256))
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id
}

// Sample returns a random selection of all, in the same order. It is often empty.
func Sample[E any](rnd *rand.Rand, all []E) []E {
	var few []E
	for _, e := range all {
		if rnd.IntN(3) == 0 {
			few = append(few, e)
		}
	}
	return few
}
