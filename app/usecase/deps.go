package usecase

import (
	"encoding/hex"

	"lyceum/domain/text"
	"lyceum/ports"
)

// Deps contains the ports and policies of use cases.
type Deps struct {
	Store    ports.Store
	Schools  ports.Schools
	Clock    ports.Clock
	IDs      ports.IDs
	Policies *Policies
	Secrets  *Secrets
}

// NewToken returns a new random token for a link (text.Token).
func (d Deps) NewToken() string { return hex.EncodeToString(d.IDs.Random(text.TokenBytes)) }
