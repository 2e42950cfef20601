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
	inviter := fake.NewInviter()
	one, two := invitation.Letter{To: "one@example.test"}, invitation.Letter{To: "two@example.test"}
	is.NoErr(inviter.Invite(t.Context(), one))

	down := errors.New("down")
	inviter.Fail(down)
	is.Equal(inviter.Invite(t.Context(), two), down)
	inviter.Fail(nil)
	ended, end := context.WithCancel(t.Context())
	end()
	is.Equal(inviter.Invite(ended, two), context.Canceled)
	is.Equal(inviter.Letters(), []invitation.Letter{one}) // not what failed

	is.NoErr(inviter.Invite(t.Context(), two))
	is.Equal(inviter.Letters(), []invitation.Letter{one, two})
	inviter.Letters()[0] = two
	is.Equal(inviter.Letters()[0], one) // a copy
}
