package ports

import (
	"context"
	"time"

	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/token"
)

// TokenReader reads the tokens of the school's people.
type TokenReader interface {
	// ByHash returns the token with the given hash, which may be expired, and the school. It
	// returns NotFound if there is none. Like Schools.KeyByHash, it never reads an older state.
	ByHash(ctx context.Context, h token.Hash) (token.Token, school.School, error)
}

// TokenRepo reads and writes the tokens of the school's people.
type TokenRepo interface {
	TokenReader

	// Add inserts a new token. It returns an error if the person does not exist, if the token
	// belongs to another school, or if a token has its hash.
	Add(ctx context.Context, t token.Token) error

	// Prune deletes the tokens of a person that expire at or before now. Of the other tokens it
	// keeps the newest, at most keep of them, and deletes the rest.
	Prune(ctx context.Context, p person.ID, now time.Time, keep int) error

	// DeleteByPerson deletes all tokens of a person.
	DeleteByPerson(ctx context.Context, p person.ID) error
}
