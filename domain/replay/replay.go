// Package replay is what is remembered of a request that its sender may repeat:
// how it was answered the first time.
package replay

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"regexp"
	"time"

	"github.com/google/uuid"
)

// Lifetime is how long an answer is remembered.
const Lifetime = 24 * time.Hour

// ErrOther says that a key was used already, for a request that differs.
var ErrOther = errors.New("replay: another request used the key")

// ErrErased says that the answer was about a person who was deleted, and went
// with them.
var ErrErased = errors.New("replay: the answer was erased")

// Erased is the status of an answer that was erased. The request counts as
// carried out, so that a repeat does not bring the person back.
const Erased = -1

// ID stands for an operation on a path and the key that the client gave it.
type ID [sha256.Size]byte

// Fingerprint stands for all of a request that decides what it does.
type Fingerprint [sha256.Size]byte

// NewID returns the id of a request under a key.
func NewID(method, path, key string) ID { return ID(digest([]byte(method), []byte(path), []byte(key))) }

// NewFingerprint returns the fingerprint of a request that is made of parts.
func NewFingerprint(parts ...[]byte) Fingerprint { return Fingerprint(digest(parts...)) }

// digest tells ab, c from a, bc: the length of each part stands before it.
func digest(parts ...[]byte) [sha256.Size]byte {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.BigEndian, uint64(len(p))) // a hash takes all that is written
		h.Write(p)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Claim is a request that is about to be carried out.
type Claim struct {
	ID          ID
	Fingerprint Fingerprint
	At          time.Time
}

// Expired returns the time before which, that time included, what was kept is
// forgotten when the claim is made.
func (c Claim) Expired() time.Time { return c.At.Add(-Lifetime) }

// Answer is how a request was answered.
type Answer struct {
	Status                      int
	Location, ContentType, ETag string
	Body                        []byte
}

// uuids finds the ids that a body or an address names.
var uuids = regexp.MustCompile(`(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// Mentions returns the ids of all records that the answer names, each once.
func (a Answer) Mentions() []uuid.UUID {
	var ids []uuid.UUID
	seen := map[uuid.UUID]bool{}
	for _, text := range [][]byte{a.Body, []byte(a.Location)} {
		for _, found := range uuids.FindAll(text, -1) {
			if id, err := uuid.ParseBytes(found); err == nil && !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Record is a claim that was carried out, with its answer.
type Record struct {
	Claim
	Answer
}

// Check returns nil when a request with that fingerprint is the one that r is
// about, ErrErased when that is no longer known, else ErrOther.
func (r Record) Check(f Fingerprint) error {
	if r.Status == Erased {
		return ErrErased
	}
	if r.Fingerprint != f {
		return ErrOther
	}
	return nil
}
