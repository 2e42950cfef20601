package usecase

import (
	"encoding/hex"

	"lyceum/domain/text"
	"lyceum/ports"
)

// Deps contains the ports and policies of use cases.
type Deps struct {
	Store      ports.Store
	Schools    ports.Schools
	Clock      ports.Clock
	IDs        ports.IDs
	Policies   *Policies
	Secrets    *Secrets
	Processors *Processors
	Additions  *Additions
}

// NewToken returns a new random token for a link (text.Token).
func (d Deps) NewToken() string { return hex.EncodeToString(d.IDs.Random(text.TokenBytes)) }

// Jitter returns a random number from 0 to 1, by which attempts that failed at the same time are
// repeated at different times.
func (d Deps) Jitter() float64 { return float64(d.IDs.Random(1)[0]) / 255 }
