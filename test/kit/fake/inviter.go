package fake

import (
	"context"
	"slices"
	"sync"

	"lyceum/domain/invitation"
	"lyceum/ports"
)

// Inviter keeps the letters that it is handed instead of sending them.
type Inviter struct {
	mu      sync.Mutex
	letters []invitation.Letter
	failure error
	loss    error
}

var _ ports.Inviter = (*Inviter)(nil)

// NewInviter returns an Inviter that delivers everything.
func NewInviter() *Inviter { return &Inviter{} }

// Fail makes every letter from now on end with err, or be delivered again when
// err is nil.
func (i *Inviter) Fail(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.failure = err
}

// Lose makes every letter from now on be delivered and end with err all the same,
// as when a server dies before it can say so.
func (i *Inviter) Lose(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.loss = err
}

// Invite keeps the letter, unless it is to fail or ctx has ended.
func (i *Inviter) Invite(ctx context.Context, l invitation.Letter) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if i.failure != nil {
		return i.failure
	}
	i.letters = append(i.letters, l)
	return i.loss
}

// Letters returns the letters that were delivered, in their order.
func (i *Inviter) Letters() []invitation.Letter {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.letters)
}
