package fake_test

import (
	"context"
	"errors"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/test/kit/fake"
)

func TestInviter(t *testing.T) {
	is := is.New(t)
	inviter := fake.NewInvitationSender()
	one, two := invitation.Message{To: "one@example.test"}, invitation.Message{To: "two@example.test"}
	is.NoErr(inviter.Send(t.Context(), one))

	down := errors.New("down")
	inviter.Fail(down)
	is.Equal(inviter.Send(t.Context(), two), down)
	inviter.Fail(nil)
	ended, end := context.WithCancel(t.Context())
	end()
	is.Equal(inviter.Send(ended, two), context.Canceled)
	is.Equal(inviter.Messages(), []invitation.Message{one}) // the failed message is not recorded

	is.NoErr(inviter.Send(t.Context(), two))
	is.Equal(inviter.Messages(), []invitation.Message{one, two})
	inviter.Messages()[0] = two
	is.Equal(inviter.Messages()[0], one) // the result is a copy
}
