package server

import (
	"time"

	"lyceum/adapters/limiter"
	"lyceum/adapters/outgoing"
	"lyceum/adapters/webhooks"
	"lyceum/adapters/worker"
	"lyceum/app"
	appwebhooks "lyceum/app/webhooks"
)

const (
	// followPoll is how often a server looks for new changes.
	followPoll = time.Second
	// webhookTimeout is the maximum duration of a request to a webhook endpoint.
	webhookTimeout = 5 * time.Second
	// webhookWorkers is the number of endpoints to which a server sends at the same time, and
	// endpointsPerSchool how many of them belong to one school. Workers mostly wait for responses.
	webhookWorkers     = 32
	endpointsPerSchool = 4
	// webhookWaiting is more than twice the number of messages that are sent at the same time.
	webhookWaiting = 4096
)

// webhookTurns limits how many messages are signed at the same time, which takes time of a processor:
// requests find a free one, and schools take turns.
type webhookTurns struct{ *limiter.Limiter }

func newWebhookTurns() webhookTurns {
	n := max(1, limiter.Processors()/2)
	return webhookTurns{limiter.New(limiter.Config{Slots: n, PerSchool: n, Waiting: webhookWaiting, Wait: time.Minute})}
}

// sendWebhooks sets how webhooks are sent.
func sendWebhooks(cfg Config, a *app.App, turns webhookTurns) {
	client := outgoing.NewClient(outgoing.Config{Allowed: cfg.OutgoingAllowed, Timeout: webhookTimeout, MaxBody: webhooks.MaxBody})
	a.Webhooks.SetSender(webhooks.New(client, turns.Limiter), cfg.OutgoingAllowed)
}

// webhookDelivery returns the worker.Work that sends webhooks.
func webhookDelivery(a *app.App) worker.Work {
	return worker.Work{
		Kind: appwebhooks.Kind, Next: a.Webhooks.DeliverNext, Count: webhookWorkers, PerSchool: endpointsPerSchool,
	}
}
