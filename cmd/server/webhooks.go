package server

import (
	"time"

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
)

// sendWebhooks sets how webhooks are sent.
func sendWebhooks(cfg Config, a *app.App) {
	client := outgoing.NewClient(outgoing.Config{Allowed: cfg.OutgoingAllowed, Timeout: webhookTimeout, MaxBody: webhooks.MaxBody})
	a.Webhooks.SetSender(webhooks.New(client), cfg.OutgoingAllowed)
}

// webhookDelivery returns the worker.Work that sends webhooks.
func webhookDelivery(a *app.App) worker.Work {
	return worker.Work{
		Kind: appwebhooks.Kind, Next: a.Webhooks.DeliverNext, Count: webhookWorkers, PerSchool: endpointsPerSchool,
	}
}
