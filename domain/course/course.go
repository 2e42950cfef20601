// Package course defines courses: their names, permalinks, categories and instructors.
package course

import (
	"bytes"
	"slices"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// Type is the resource type of courses in documents and faults.
const Type = "courses"

// ID identifies a course.
type ID struct{ uuid.UUID }

// ActivityID identifies an activity of a course. It is defined here because packages quiz and
// activity both need it.
type ActivityID struct{ uuid.UUID }

// Course is a course of a school. Its permalink is unique in the school, which the store enforces.
type Course struct{ s State }

// State is the plain record of a course.
type State struct {
	ID                   ID
	Name                 string
	Permalink            string                 // a slug; identifies the course in addresses
	EnrollToken          string                 // the secret part of the enrollment link (text.Token)
	Categories           []category.ID          // in the order of their ids
	Instructors          []person.PartnershipID // in the order of their ids
	Properties           property.Values
	CreatedAt, UpdatedAt time.Time
}

// New returns a course. The name must satisfy text.Name and the token text.Token. The permalink
// must satisfy text.Slug and must not be a UUID, so that paths can contain either the permalink or
// the id.
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

// Restore returns the course that a store saved as s.
func Restore(s State) Course { return Course{s} }

// State returns the course's record.
func (c Course) State() State { return c.s }

// MaxRelated is the maximum number of categories of a course, and also of its instructors. The
// number is limited because every document of a course contains all of them.
const MaxRelated = 250

// SetCategories replaces the categories of the course and reports whether they changed. UpdatedAt
// does not change. More than MaxRelated categories are an Invalid fault.
func (c *Course) SetCategories(categories ...category.ID) (bool, error) {
	next := sortedUnique(categories, func(id category.ID) uuid.UUID { return id.UUID })
	if len(next) > MaxRelated {
		return false, fault.Invalidf("categories", "has too many elements (maximum is %d)", MaxRelated)
	}
	changed := !slices.Equal(c.s.Categories, next)
	c.s.Categories = next
	return changed, nil
}

// SetInstructors replaces the instructors of the course and reports whether they changed. UpdatedAt
// does not change. More than MaxRelated instructors are an Invalid fault.
func (c *Course) SetInstructors(instructors ...person.PartnershipID) (bool, error) {
	next := sortedUnique(instructors, func(id person.PartnershipID) uuid.UUID { return id.UUID })
	if len(next) > MaxRelated {
		return false, fault.Invalidf("instructor_partnerships", "has too many elements (maximum is %d)", MaxRelated)
	}
	changed := !slices.Equal(c.s.Instructors, next)
	c.s.Instructors = next
	return changed, nil
}

// sortedUnique returns ids without duplicates, in the order of their bytes.
func sortedUnique[T comparable](ids []T, key func(T) uuid.UUID) []T {
	out := slices.SortedFunc(slices.Values(ids), func(a, b T) int {
		x, y := key(a), key(b)
		return bytes.Compare(x[:], y[:])
	})
	return slices.Compact(out)
}

// Summary is a course as it appears in lists and documents.
type Summary struct {
	State
	EnrollmentsCount int64    // enrollments as learner
	Defined          []string // names of the properties that the school has defined for courses, sorted
}
