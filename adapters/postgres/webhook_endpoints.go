package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/query"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

var _ ports.WebhookRepo = webhookRepo{}

type webhookRow struct {
	ID           uuid.UUID      `db:"id"`
	URL          string         `db:"url"`
	Types        pq.StringArray `db:"types"`
	Description  string         `db:"description"`
	Enabled      bool           `db:"enabled"`
	Disabled     string         `db:"disabled"`
	Secret       string         `db:"secret"`
	OldSecret    string         `db:"old_secret"`
	OldUntil     *time.Time     `db:"old_until"`
	FailingSince *time.Time     `db:"failing_since"`
	Unanswered   int            `db:"unanswered"`
	PausedUntil  *time.Time     `db:"paused_until"`
	CreatedAt    time.Time      `db:"created_at"`
	UpdatedAt    time.Time      `db:"updated_at"`
}

func (r webhookRow) endpoint() (webhook.Endpoint, error) {
	return webhook.Endpoint{
		ID: webhook.ID{UUID: r.ID}, URL: r.URL, Types: r.Types, Description: r.Description, Enabled: r.Enabled, Disabled: r.Disabled,
		Secret: webhook.Secret{Current: r.Secret, Old: r.OldSecret, OldUntil: pgdb.UTC(r.OldUntil)},
		Health: webhook.Health{
			FailingSince: pgdb.UTC(r.FailingSince), Unanswered: r.Unanswered, PausedUntil: pgdb.UTC(r.PausedUntil),
		},
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

var webhookColumns = listsql.RowColumns[webhookRow]()

var webhookTable = newTable("webhook_endpoints", []column[webhook.Endpoint]{
	{"id", "uuid", func(e webhook.Endpoint) any { return e.ID.UUID }},
	{"url", "text", func(e webhook.Endpoint) any { return e.URL }},
	{"types", "text[]", func(e webhook.Endpoint) any { return pq.Array(e.Types) }},
	{"description", "text", func(e webhook.Endpoint) any { return e.Description }},
	{"enabled", "boolean", func(e webhook.Endpoint) any { return e.Enabled }},
	{"disabled", "text", func(e webhook.Endpoint) any { return e.Disabled }},
	{"secret", "text", func(e webhook.Endpoint) any { return e.Secret.Current }},
	{"old_secret", "text", func(e webhook.Endpoint) any { return e.Secret.Old }},
	{"old_until", "timestamptz", func(e webhook.Endpoint) any { return e.Secret.OldUntil }},
	{"failing_since", "timestamptz", func(e webhook.Endpoint) any { return e.Health.FailingSince }},
	{"unanswered", "integer", func(e webhook.Endpoint) any { return e.Health.Unanswered }},
	{"paused_until", "timestamptz", func(e webhook.Endpoint) any { return e.Health.PausedUntil }},
	{"created_at", "timestamptz", func(e webhook.Endpoint) any { return e.CreatedAt }},
	{"updated_at", "timestamptz", func(e webhook.Endpoint) any { return e.UpdatedAt }},
})

var (
	listWebhooks = `SELECT ` + webhookColumns + ` FROM webhook_endpoints r WHERE r.school_id = $1`
	getWebhook   = listWebhooks + ` AND r.id = $2`
	lockWebhook  = getWebhook + ` FOR NO KEY UPDATE`
	saveWebhook  = webhookTable.update()
)

const (
	deleteDeliveriesOf = `
		DELETE FROM webhook_deliveries WHERE school_id = $1 AND ctid = ANY (ARRAY (
			SELECT ctid FROM webhook_deliveries WHERE school_id = $1 AND endpoint_id = $2 LIMIT $3 FOR UPDATE
		))`
	deleteWebhook = `DELETE FROM webhook_endpoints WHERE school_id = $1 AND id = $2`
)

type webhookReader struct{ *session }

// List implements ports.WebhookReader. A school has few endpoints, so List filters them in memory.
func (c webhookReader) List(ctx context.Context, q query.Query) (query.Result[webhook.Endpoint], error) {
	all, err := getAll(ctx, c.session, webhookRow.endpoint, listWebhooks, c.SchoolID)
	if err != nil {
		return query.Result[webhook.Endpoint]{}, err
	}
	return webhook.Schema.Evaluate(q, all), nil
}

// Get implements ports.WebhookReader.
func (c webhookReader) Get(ctx context.Context, id webhook.ID) (webhook.Endpoint, error) {
	return getOne(ctx, c.session, webhookRow.endpoint, getWebhook, c.SchoolID, id.UUID)
}

type webhookRepo struct{ webhookReader }

// GetForUpdate implements ports.WebhookRepo.
func (c webhookRepo) GetForUpdate(ctx context.Context, id webhook.ID) (webhook.Endpoint, error) {
	return getOne(ctx, c.session, webhookRow.endpoint, lockWebhook, c.SchoolID, id.UUID)
}

// Add implements ports.WebhookRepo.
func (c webhookRepo) Add(ctx context.Context, e webhook.Endpoint) error {
	return insert(ctx, c.session, webhookTable, e)
}

// Save implements ports.WebhookRepo.
func (c webhookRepo) Save(ctx context.Context, e webhook.Endpoint) error {
	return c.writeOne(ctx, saveWebhook, webhookTable.args(c.SchoolID, e)...)
}

// Delete implements ports.WebhookRepo.
func (c webhookRepo) Delete(ctx context.Context, id webhook.ID, most int) (bool, error) {
	if _, err := c.GetForUpdate(ctx, id); err != nil {
		return false, err
	}
	n, err := c.Exec(ctx, deleteDeliveriesOf, c.SchoolID, id.UUID, most)
	if err != nil || n >= most {
		return false, err
	}
	return true, c.write(ctx, deleteWebhook, c.SchoolID, id.UUID)
}
