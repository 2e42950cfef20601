package usecase

import (
	"encoding/hex"

	"lyceum/domain/text"
	"lyceum/ports"
)

// Deps is what use cases reach the outside by.
type Deps struct {
	Store    ports.Store
	Schools  ports.Schools
	Clock    ports.Clock
	IDs      ports.IDs
	Policies *Policies
}

// NewToken returns a new secret part of a link (text.Token).
func (d Deps) NewToken() string { return hex.EncodeToString(d.IDs.Random(text.TokenBytes)) }
