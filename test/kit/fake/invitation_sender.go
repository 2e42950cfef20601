package fake

import (
	"context"
	"slices"
	"sync"

	"lyceum/domain/invitation"
	"lyceum/ports"
)

// InvitationSender records invitation messages instead of sending them.
type InvitationSender struct {
	mu       sync.Mutex
	messages []invitation.Message
	failure  error
	loss     error
}

var _ ports.InvitationSender = (*InvitationSender)(nil)

// NewInvitationSender returns an InvitationSender that accepts every message.
func NewInvitationSender() *InvitationSender { return &InvitationSender{} }

// Fail makes every later Send return err without recording the message. If err is nil, Send
// succeeds again.
func (i *InvitationSender) Fail(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.failure = err
}

// Lose makes every later Send record the message and return err, like a server that stops before it
// can report success. If err is nil, Send succeeds again.
func (i *InvitationSender) Lose(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.loss = err
}

// Send implements ports.InvitationSender.
func (i *InvitationSender) Send(ctx context.Context, l invitation.Message) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if i.failure != nil {
		return i.failure
	}
	i.messages = append(i.messages, l)
	return i.loss
}

// Messages returns the recorded messages in the order of Send.
func (i *InvitationSender) Messages() []invitation.Message {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.messages)
}
