// Package course is what a school teaches.
package course

import (
	"bytes"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// Type is the plural noun by which documents and faults name courses.
const Type = "courses"

// ID identifies a course.
type ID struct{ uuid.UUID }

// ActivityID identifies an activity of a course. It stands here because quizzes
// refer to activities and activities to quizzes.
type ActivityID struct{ uuid.UUID }

// Course is something that a school teaches; its permalink is unique in the
// school, which the store guards.
type Course struct{ s State }

// State is the plain record of a course.
type State struct {
	ID                   ID
	Name                 string
	Permalink            string                 // a slug; stands for the course in addresses
	EnrollToken          string                 // the secret part of the enrollment link (text.Token)
	Categories           []category.ID          // in the order of their ids
	Instructors          []person.PartnershipID // in the order of their ids
	CreatedAt, UpdatedAt time.Time
}

// New returns a course. The name obeys text.Name, the permalink text.Slug and is
// no UUID, so that either can name a course; the token obeys text.Token.
func New(id ID, name, link, token string, now time.Time) (Course, error) {
	name, errName := text.Name("name", name)
	link, errLink := permalink(link)
	if err := fault.Join(errName, errLink, text.Token("enroll_token", token)); err != nil {
		return Course{}, err
	}
	return Course{State{
		ID: id, Name: name, Permalink: link, EnrollToken: token, CreatedAt: now, UpdatedAt: now,
	}}, nil
}

// Restore returns the course that a store kept as s.
func Restore(s State) Course { return Course{s} }

// State returns the course's record.
func (c Course) State() State { return c.s }

// MaxRelated is the number of categories, and of instructors, that a course may have:
// every document of a course names all of them.
const MaxRelated = 250

// File puts the course under each of the categories, and under no other, and
// tells whether that is a change. The time of the last change stays. More than
// MaxRelated are Invalid.
func (c *Course) File(categories ...category.ID) (bool, error) {
	next := ordered(categories, func(id category.ID) uuid.UUID { return id.UUID })
	if len(next) > MaxRelated {
		return false, fault.Invalidf("categories", "are more than %d", MaxRelated)
	}
	changed := !slices.Equal(c.s.Categories, next)
	c.s.Categories = next
	return changed, nil
}

// Staff makes each of the partnerships an instructor, and no other, and tells
// whether that is a change. The time of the last change stays. More than MaxRelated
// are Invalid.
func (c *Course) Staff(instructors ...person.PartnershipID) (bool, error) {
	next := ordered(instructors, func(id person.PartnershipID) uuid.UUID { return id.UUID })
	if len(next) > MaxRelated {
		return false, fault.Invalidf("instructor_partnerships", "are more than %d", MaxRelated)
	}
	changed := !slices.Equal(c.s.Instructors, next)
	c.s.Instructors = next
	return changed, nil
}

// ordered returns ids in the order of their bytes, each once.
func ordered[T comparable](ids []T, key func(T) uuid.UUID) []T {
	out := slices.SortedFunc(slices.Values(ids), func(a, b T) int {
		x, y := key(a), key(b)
		return bytes.Compare(x[:], y[:])
	})
	return slices.Compact(out)
}

// Summary is a course as lists and documents show one.
type Summary struct {
	State
	EnrollmentsCount int64 // learners enrolled
}
