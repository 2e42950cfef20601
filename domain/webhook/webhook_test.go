package webhook_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/webhook"
	"lyceum/test/conformance/schematest"
)

var (
	now      = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	loopback = func(host string) bool { return host == "127.0.0.1" }
	failed   = webhook.Result{Status: 500}
	silent   = webhook.Result{Error: "No response in time"}
	accepted = webhook.Result{Status: 204}
)

// newEndpoint returns an enabled endpoint for all types.
func newEndpoint(t *testing.T) webhook.Endpoint {
	t.Helper()
	url := "https://hooks.example.test"
	e, err := webhook.New(webhook.ID{UUID: uuid.UUID{15: 1}}, webhook.Changes{URL: &url}, webhook.Secret{Current: "sealed"}, nil, now)
	is.New(t).NoErr(err)
	return e
}

func TestURLs(t *testing.T) {
	for url, ok := range map[string]bool{
		"https://hooks.example.test/a?b=c": true, " https://hooks.example.test:8443/ ": true, "https://10.0.0.1": true,
		"http://127.0.0.1:8080/hook": true, "http://127.0.0.2/": false, "https://[::1]/": false, "http://10.0.0.1/": false, "http://localhost/": false,
		"http://hooks.example.test": false, "": false, "https://": false, "https://a@b.test": false, "https://b.test/#c": true,
		"https://b.test/\u202e": false, "ftp://b.test": false, "https://b.test/" + strings.Repeat("a", 2048): false,
	} {
		e := newEndpoint(t)
		err := e.Update(webhook.Changes{URL: &url}, loopback, now)
		if got := err == nil; got != ok {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestTypes(t *testing.T) {
	is := is.New(t)
	e := newEndpoint(t)
	is.True(e.Wants("people") && e.Wants("courses"))
	is.NoErr(e.Update(webhook.Changes{Types: &[]string{"people", "groups", "people"}}, nil, now))
	is.Equal(e.Types, []string{"groups", "people"})
	is.True(e.Wants("people") && !e.Wants("courses"))
	for _, wrong := range [][]string{{}, {"people", "unknown"}, {"events"}} {
		is.True(fault.Is(e.Update(webhook.Changes{Types: &wrong}, nil, now), fault.Invalid))
	}
	no := false
	is.NoErr(e.Update(webhook.Changes{Enabled: &no}, nil, now))
	is.True(!e.Wants("groups"))
}

func TestDeliveryIsRetriedForThePeriod(t *testing.T) {
	is := is.New(t)
	d := webhook.NewDelivery(webhook.DeliveryID{}, webhook.ID{}, 7, now)
	var pauses []time.Duration
	for d.Status == webhook.Pending {
		at := *d.NextAttemptAt
		d.Record(failed, 0, at)
		if d.NextAttemptAt != nil {
			pauses = append(pauses, d.NextAttemptAt.Sub(at))
		}
	}
	is.Equal(pauses[:4], []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second})
	is.Equal(d.Status, webhook.Failed)
	is.Equal(*d.LastAttemptAt, now.Add(webhook.Period)) // the last attempt is at the end of the period
	is.True(d.Attempts > 15 && d.Attempts < 30)

	d = webhook.NewDelivery(webhook.DeliveryID{}, webhook.ID{}, 7, now)
	d.Record(failed, 1, now)
	is.Equal(*d.NextAttemptAt, now.Add(6250*time.Millisecond)) // with jitter
	d.Record(accepted, 0, now)
	is.Equal(d.Status, webhook.Succeeded)
	is.True(d.NextAttemptAt == nil)
	is.Equal(d.LastStatus, 204)
}

func TestEndpointIsDisabledAfterThePeriod(t *testing.T) {
	is := is.New(t)
	e := newEndpoint(t)
	e.Record(failed, 0, now)
	e.Record(failed, 0, now.Add(webhook.Period-time.Second))
	is.True(e.Enabled)
	recovered := e
	recovered.Record(accepted, 0, now.Add(webhook.Period-time.Second))
	recovered.Record(failed, 0, now.Add(webhook.Period+time.Second))
	is.True(recovered.Enabled)
	e.Record(failed, 0, now.Add(webhook.Period))
	is.True(!e.Enabled)
	is.Equal(e.Disabled, "No delivery has succeeded since 2026-01-31T15:04:05Z")
	yes := true
	is.NoErr(e.Update(webhook.Changes{Enabled: &yes}, nil, now))
	is.True(e.Enabled && e.Disabled == "" && e.Health == webhook.Health{})
	e.Record(webhook.Result{Status: 410}, 0, now)
	is.True(!e.Enabled)
	is.Equal(e.Disabled, "The endpoint responded with 410 Gone")
}

func TestEndpointWithoutResponsePauses(t *testing.T) {
	is := is.New(t)
	e := newEndpoint(t)
	for range 8 { // messages that are sent at the same time
		e.Record(silent, 0, now)
	}
	is.Equal(e.Health.Resume(now), now.Add(5*time.Second))
	later := e.Health.Resume(now)
	e.Record(silent, 0, later)
	is.Equal(e.Health.Resume(later), later.Add(10*time.Second))
	for range 20 {
		later = e.Health.Resume(later)
		e.Record(silent, 1, later)
	}
	is.Equal(e.Health.Resume(later), later.Add(12*time.Minute+30*time.Second))
	e.Record(failed, 0, later) // a response ends the pause
	is.Equal(e.Health.Resume(later), later)
	is.True(e.Health.FailingSince != nil)
}

func TestRotation(t *testing.T) {
	is := is.New(t)
	s := webhook.Secret{Current: "a"}
	s.Rotate("b", now)
	is.Equal(s.Valid(now.Add(webhook.Overlap-time.Millisecond)), []string{"b", "a"})
	is.Equal(s.Valid(now.Add(webhook.Overlap)), []string{"b"})
	s.Rotate("c", now)
	is.Equal(s.Valid(now), []string{"c", "b"})
	s.DropOld(now.Add(webhook.Overlap - time.Millisecond))
	is.Equal(s.Old, "b")
	s.DropOld(now.Add(webhook.Overlap))
	is.Equal(s, webhook.Secret{Current: "c"})
	is.Equal(webhook.EncodeSecret([]byte{0xff, 0xfe, 0xfd}), "whsec_//79")
}

func TestSchemas(t *testing.T) {
	is := is.New(t)
	e := newEndpoint(t)
	e.Description, e.Disabled = "Warehouse", "Gone"
	schematest.Attributes(t, webhook.Schema, e, map[string]string{
		"uuid": e.ID.String(), "url": "https://hooks.example.test", "description": "Warehouse", "enabled": "true",
		"disabled_reason": "Gone", "created_at": "2026-01-31T15:04:05.123Z", "updated_at": "2026-01-31T15:04:05.123Z",
	})
	schematest.Search(t, webhook.Schema, e, []string{"hooks", "ware"}, []string{"gone"})
	is.Equal(schematest.Order(webhook.Schema), "-created_at")
	d := webhook.NewDelivery(webhook.DeliveryID{UUID: uuid.UUID{15: 2}}, e.ID, 7, now)
	d.Record(failed, 0, now)
	schematest.Attributes(t, webhook.DeliverySchema, d, map[string]string{
		"uuid": d.ID.String(), "endpoint.id": e.ID.String(), "change.id": "7", "status": "pending", "attempts": "1",
		"last_status": "500", "created_at": "2026-01-31T15:04:05.123Z", "last_attempt_at": "2026-01-31T15:04:05.123Z",
		"next_attempt_at": "2026-01-31T15:04:10.123Z",
	})
}
