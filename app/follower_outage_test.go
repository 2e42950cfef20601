package app_test

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/reactions"
	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// accepting sends nothing and reports success.
type accepting struct{}

// Send implements ports.WebhookSender.
func (accepting) Send(context.Context, ports.WebhookMessage) webhook.Result {
	return webhook.Result{Status: 200}
}

// followerCases contains the use cases that follow the change feed, for TestOutageAtEveryCall.
func followerCases() map[string]unavailableCase {
	const kind = "reaction:test"
	add := func(c *classroom) error {
		return c.Reactions.Add("test", []string{category.Type}, func(context.Context, reactions.Notification) error { return nil })
	}
	endpoint := func(t *testing.T, c *classroom) {
		is := is.New(t)
		c.SetServerSecret("a secret of the server, long enough")
		url := "https://hooks.example.test"
		e, _, err := c.Webhooks.Create(c.ctx, c.actor, webhook.Changes{URL: &url})
		is.NoErr(err)
		_, err = c.Webhooks.Ping(c.ctx, c.actor, e.ID)
		is.NoErr(err)
		_, err = c.Categories.Create(c.ctx, c.actor, "Design")
		is.NoErr(err)
	}
	reacting := func(t *testing.T, c *classroom) {
		is := is.New(t)
		is.NoErr(add(c))
		is.NoErr(c.Reactions.RunAll(c.ctx))
		_, err := c.Categories.Create(c.ctx, c.actor, "Design")
		is.NoErr(err)
		_, err = c.Followers.Next(c.ctx)
		is.NoErr(err)
	}
	return map[string]unavailableCase{
		"Followers.Next": {worker: true, before: endpoint, run: func(c *classroom) error {
			if err := add(c); err != nil {
				return err
			}
			return worked(c.Followers.Next(c.ctx))
		}},
		"Reactions.RunNext": {worker: true, before: reacting, run: func(c *classroom) error {
			if err := add(c); err != nil {
				return err
			}
			return worked(c.Reactions.RunNext(c.ctx, kind))
		}},
		"Reactions.RunAll": {worker: true, before: reacting, run: func(c *classroom) error {
			if err := add(c); err != nil {
				return err
			}
			return c.Reactions.RunAll(c.ctx)
		}},
		"Webhooks.DeliverNext": {worker: true, before: endpoint, run: func(c *classroom) error {
			c.SetServerSecret("a secret of the server, long enough")
			c.Webhooks.SetSender(accepting{}, nil)
			c.Webhooks.SetDocuments(func(context.Context, usecase.Actor, change.Change) ([]byte, error) { return []byte("{}"), nil })
			return worked(c.Webhooks.DeliverNext(c.ctx))
		}},
		"Webhooks.Sweep": {worker: true, run: func(c *classroom) error { return worked(c.Webhooks.Sweep(c.ctx)) }},
	}
}
