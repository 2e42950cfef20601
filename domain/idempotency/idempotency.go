// Package idempotency defines what is saved for a request with an idempotency key, so that a retry
// gets the recorded response.
package idempotency

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"regexp"
	"time"

	"github.com/google/uuid"
)

// Retention is how long a response is kept if the operator configures no other time. It is also the
// shortest time that can be configured, because clients rely on it.
const Retention = 24 * time.Hour

// ErrKeyReused means that the key was used for a different request.
var ErrKeyReused = errors.New("idempotency: the key was used for another request")

// ErrErased means that the response was erased because it contained data of a deleted person.
var ErrErased = errors.New("idempotency: the response was erased")

// Erased is the status of an erased response. The request still counts as executed, so that a retry
// does not create the person again.
const Erased = -1

// ID is the hash of a method, a path and the client's idempotency key.
type ID [sha256.Size]byte

// Fingerprint is the hash of the parts of a request that a retry must repeat.
type Fingerprint [sha256.Size]byte

// NewID returns the ID of a request with the given method, path and idempotency key.
func NewID(method, path, key string) ID { return ID(digest([]byte(method), []byte(path), []byte(key))) }

// By returns the ID of the request if the person p makes it, so that equal requests of different
// people do not collide.
func (id ID) By(p uuid.UUID) ID { return ID(digest(id[:], p[:])) }

// NewFingerprint returns the fingerprint of a request that consists of parts.
func NewFingerprint(parts ...[]byte) Fingerprint { return Fingerprint(digest(parts...)) }

// digest hashes parts with their lengths, so that (ab, c) and (a, bc) differ.
func digest(parts ...[]byte) [sha256.Size]byte {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.BigEndian, uint64(len(p))) // writing to a hash never fails
		h.Write(p)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Claim identifies a request that is about to be executed, and the time of the execution.
type Claim struct {
	ID          ID
	Fingerprint Fingerprint
	At          time.Time
}

// Response is the recorded response to a request.
type Response struct {
	Status                      int
	Location, ContentType, ETag string
	Body                        []byte

	// About contains records that the response is about and does not contain. A store keeps it only
	// to find the response.
	About []uuid.UUID
}

// uuids matches each UUID in a body or a URL.
var uuids = regexp.MustCompile(`(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// Mentions returns every UUID in the body and the location of the response, and the records that the
// response is about, without duplicates.
func (a Response) Mentions() []uuid.UUID {
	var ids []uuid.UUID
	seen := map[uuid.UUID]bool{}
	add := func(id uuid.UUID) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, text := range [][]byte{a.Body, []byte(a.Location)} {
		for _, found := range uuids.FindAll(text, -1) {
			if id, err := uuid.ParseBytes(found); err == nil {
				add(id)
			}
		}
	}
	for _, id := range a.About {
		add(id)
	}
	return ids
}

// Record is an executed request with its response.
type Record struct {
	Claim
	Response
}

// Check compares the fingerprint f of a retry with the recorded request. It returns ErrErased if
// the response was erased, ErrKeyReused if the fingerprints differ, and otherwise nil.
func (r Record) Check(f Fingerprint) error {
	if r.Status == Erased {
		return ErrErased
	}
	if r.Fingerprint != f {
		return ErrKeyReused
	}
	return nil
}
