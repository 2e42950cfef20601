package usecase

import (
	"encoding/hex"

	"lyceum/domain/text"
	"lyceum/ports"
)

// Deps is what use cases reach the outside by.
type Deps struct {
	Store   ports.Store
	Schools ports.Schools
	Clock   ports.Clock
	IDs     ports.IDs
	Quotas  *Quotas // which all use cases share
}

// Quotas bound what a school may hold. 0 means no bound.
type Quotas struct {
	People int64 // people, of every kind
	Bytes  int64 // bytes of the files of all submissions
}

// NewToken returns a new secret part of a link (text.Token).
func (d Deps) NewToken() string { return hex.EncodeToString(d.IDs.Random(text.TokenBytes)) }
