package school_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

func key(n byte, scope school.Scope, expires, revoked *time.Time) school.Key {
	return school.Key{
		ID: school.KeyID{UUID: uuid.UUID{15: n}}, School: id, Name: "ci", Scope: scope,
		CreatedAt: now, ExpiresAt: expires, RevokedAt: revoked,
	}
}

func TestRotate(t *testing.T) {
	day := 24 * time.Hour
	at := func(d time.Duration) *time.Time { end := now.Add(d); return &end }
	for _, tc := range []struct {
		name           string
		expires        *time.Time
		overlap, after time.Duration
		ends           *time.Time // expiry of the old key
		next           *time.Time // expiry of its successor
	}{
		{"one that never expires", nil, day, 0, at(day), nil},
		{"at once", nil, 0, 0, at(0), nil},
		{"as long as can be", nil, school.MaxOverlap, 0, at(school.MaxOverlap), nil},
		{"one that expires later", at(90 * day), day, 80 * day, at(81 * day), at(170 * day)},
		{"one that expires before", at(90 * day), day, 90*day - time.Hour, at(90 * day), at(180*day - time.Hour)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			k := key(1, school.Write, tc.expires, nil)
			terms, err := k.Rotate(tc.overlap, now.Add(tc.after))
			is.NoErr(err)
			is.Equal(terms, school.KeyParams{Name: "ci", Scope: school.Write, ExpiresAt: tc.next})
			is.Equal(*k.ExpiresAt, *tc.ends)
		})
	}
}

func TestRotateInvalid(t *testing.T) {
	for _, tc := range []struct {
		name    string
		k       school.Key
		overlap time.Duration
		kind    fault.Kind
	}{
		{"below 0", key(1, school.Read, nil, nil), -1, fault.Invalid},
		{"too long", key(1, school.Read, nil, nil), school.MaxOverlap + 1, fault.Invalid},
		{"a revoked key", key(1, school.Read, nil, &now), 0, fault.Forbidden},
		{"an expired key", key(1, school.Read, &now, nil), 0, fault.Forbidden},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			before := tc.k
			_, err := tc.k.Rotate(tc.overlap, now)
			is.True(fault.Is(err, tc.kind))
			is.Equal(tc.k, before)
		})
	}
}

// The last key with the scope admin cannot be revoked through the API.
func TestCheckRevocation(t *testing.T) {
	last := key(1, school.Admin, nil, nil)
	for _, tc := range []struct {
		name    string
		k       school.Key
		others  []school.Key
		allowed bool
	}{
		{"alone", last, nil, false},
		{"with lower ones", last, []school.Key{key(2, school.Write, nil, nil), key(3, school.Read, nil, nil)}, false},
		{"with a revoked one", last, []school.Key{key(2, school.Admin, nil, &now)}, false},
		{"with an expired one", last, []school.Key{key(2, school.Admin, &now, nil)}, false},
		{"with another", last, []school.Key{key(2, school.Admin, &laterTime, nil)}, true},
		{"a lower one", key(1, school.Write, nil, nil), nil, true},
		{"one that is revoked already", key(1, school.Admin, nil, &now), nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			err := tc.k.CheckRevocation(append([]school.Key{tc.k}, tc.others...), now)
			is.Equal(err == nil, tc.allowed)
			is.Equal(fault.Is(err, fault.Forbidden), !tc.allowed)
		})
	}
}
