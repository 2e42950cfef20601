package postgres

import (
	"cmp"
	"context"
	"slices"
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

	// blockWebhook also waits for transactions that insert deliveries of the endpoint, and blocks
	// them, because the endpoint cannot be deleted while it has deliveries.
	blockWebhook = getWebhook + ` FOR UPDATE`
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
func (r webhookReader) List(ctx context.Context, q query.Query) (query.Result[webhook.Endpoint], error) {
	all, err := getAll(ctx, r.session, webhookRow.endpoint, listWebhooks, r.SchoolID)
	if err != nil {
		return query.Result[webhook.Endpoint]{}, err
	}
	return webhook.Schema.Evaluate(q, all), nil
}

// Get implements ports.WebhookReader.
func (r webhookReader) Get(ctx context.Context, id webhook.ID) (webhook.Endpoint, error) {
	return getOne(ctx, r.session, webhookRow.endpoint, getWebhook, r.SchoolID, id.UUID)
}

// CountDue implements ports.WebhookReader.
func (r webhookReader) CountDue(ctx context.Context, id webhook.ID, now time.Time, most int) (n int, err error) {
	err = r.GetRow(ctx, &n, countDue, r.SchoolID, id.UUID, now, most)
	return n, err
}

type webhookRepo struct{ webhookReader }

// GetForUpdate implements ports.WebhookRepo.
func (r webhookRepo) GetForUpdate(ctx context.Context, id webhook.ID) (webhook.Endpoint, error) {
	return getOne(ctx, r.session, webhookRow.endpoint, lockWebhook, r.SchoolID, id.UUID)
}

// Add implements ports.WebhookRepo.
func (r webhookRepo) Add(ctx context.Context, e webhook.Endpoint) error {
	return insert(ctx, r.session, webhookTable, e)
}

// Save implements ports.WebhookRepo.
func (r webhookRepo) Save(ctx context.Context, e webhook.Endpoint) error {
	return r.writeOne(ctx, saveWebhook, webhookTable.args(r.SchoolID, e)...)
}

// Delete implements ports.WebhookRepo.
func (r webhookRepo) Delete(ctx context.Context, id webhook.ID, most int) (bool, error) {
	if _, err := getOne(ctx, r.session, webhookRow.endpoint, blockWebhook, r.SchoolID, id.UUID); err != nil {
		return false, err
	}
	n, err := r.Exec(ctx, deleteDeliveriesOf, r.SchoolID, id.UUID, most)
	if err != nil || n >= most {
		return false, err
	}
	return true, r.write(ctx, deleteWebhook, r.SchoolID, id.UUID)
}

type webhookDeliveryRow struct {
	ID            uuid.UUID  `db:"id"`
	Endpoint      uuid.UUID  `db:"endpoint_id"`
	Position      int64      `db:"position"`
	Status        string     `db:"status"`
	Attempts      int        `db:"attempts"`
	LastStatus    int        `db:"last_status"`
	LastError     string     `db:"last_error"`
	Duration      int64      `db:"duration"`
	CreatedAt     time.Time  `db:"created_at"`
	QueuedAt      time.Time  `db:"queued_at"`
	LastAttemptAt *time.Time `db:"last_attempt_at"`
	NextAttemptAt *time.Time `db:"next_attempt_at"`
}

func (r webhookDeliveryRow) delivery() (webhook.Delivery, error) {
	return webhook.Delivery{
		ID: webhook.DeliveryID{UUID: r.ID}, Endpoint: webhook.ID{UUID: r.Endpoint}, Position: r.Position,
		Status: webhook.Status(r.Status), Attempts: r.Attempts, LastStatus: r.LastStatus, LastError: r.LastError,
		Duration: time.Duration(r.Duration) * time.Millisecond, CreatedAt: r.CreatedAt.UTC(), QueuedAt: r.QueuedAt.UTC(),
		LastAttemptAt: pgdb.UTC(r.LastAttemptAt), NextAttemptAt: pgdb.UTC(r.NextAttemptAt),
	}, nil
}

var webhookDeliveryTable = newTable("webhook_deliveries", []column[webhook.Delivery]{
	{"id", "uuid", func(d webhook.Delivery) any { return d.ID.UUID }},
	{"endpoint_id", "uuid", func(d webhook.Delivery) any { return d.Endpoint.UUID }},
	{"position", "bigint", func(d webhook.Delivery) any { return d.Position }},
	{"status", "text", func(d webhook.Delivery) any { return string(d.Status) }},
	{"attempts", "integer", func(d webhook.Delivery) any { return d.Attempts }},
	{"last_status", "integer", func(d webhook.Delivery) any { return d.LastStatus }},
	{"last_error", "text", func(d webhook.Delivery) any { return d.LastError }},
	{"duration", "bigint", func(d webhook.Delivery) any { return d.Duration.Milliseconds() }},
	{"created_at", "timestamptz", func(d webhook.Delivery) any { return d.CreatedAt }},
	{"queued_at", "timestamptz", func(d webhook.Delivery) any { return d.QueuedAt }},
	{"last_attempt_at", "timestamptz", func(d webhook.Delivery) any { return d.LastAttemptAt }},
	{"next_attempt_at", "timestamptz", func(d webhook.Delivery) any { return d.NextAttemptAt }},
})

var webhookDeliveryList = listsql.New(listsql.Definition{
	Table:   "webhook_deliveries",
	Columns: listsql.RowColumns[webhookDeliveryRow](),
	Attrs: map[string]listsql.Column{
		"uuid":            {Expr: "r.id"},
		"endpoint.id":     {Expr: "r.endpoint_id"},
		"change.id":       {Expr: "r.position"},
		"status":          {Expr: "r.status", Fold: "r.status"},
		"attempts":        {Expr: "r.attempts"},
		"last_status":     {Expr: "r.last_status"},
		"created_at":      {Expr: "r.created_at"},
		"last_attempt_at": {Expr: "r.last_attempt_at"},
		"next_attempt_at": {Expr: "r.next_attempt_at"},
	},
	Sort: webhook.DeliverySchema.Default(),
}, webhookDeliveryRow.delivery)

var (
	queueDeliveries = webhookDeliveryTable.insertMany + `
		ON CONFLICT (school_id, endpoint_id, position) WHERE position > 0 DO UPDATE SET status = excluded.status,
			attempts = excluded.attempts, queued_at = excluded.queued_at, next_attempt_at = excluded.next_attempt_at`
	claimDeliveries = `
		WITH due AS MATERIALIZED (
			SELECT id FROM webhook_deliveries WHERE school_id = $1 AND endpoint_id = $2 AND next_attempt_at <= $4
			ORDER BY next_attempt_at, position, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
		)
		UPDATE webhook_deliveries r SET next_attempt_at = $5 FROM due WHERE r.school_id = $1 AND r.id = due.id
		RETURNING ` + listsql.RowColumns[webhookDeliveryRow]()
	finishDeliveries = `
		UPDATE webhook_deliveries r SET status = n.status, attempts = n.attempts, last_status = n.last_status,
			last_error = n.last_error, duration = n.duration, last_attempt_at = n.last_attempt_at,
			next_attempt_at = n.next_attempt_at
		FROM ` + webhookDeliveryTable.unnested(2) + `
		WHERE r.school_id = $1 AND r.id = n.id AND r.queued_at = n.queued_at`
)

const (
	countDue = `
		SELECT count(*) FROM (
			SELECT FROM webhook_deliveries WHERE school_id = $1 AND endpoint_id = $2 AND next_attempt_at <= $3 LIMIT $4
		) due`
	nextAttempt = `
		SELECT min(next_attempt_at) FROM webhook_deliveries
		WHERE school_id = $1 AND endpoint_id = $2 AND next_attempt_at IS NOT NULL`
	trimDeliveries = `
		DELETE FROM webhook_deliveries WHERE school_id = $1 AND ctid = ANY (ARRAY (
			SELECT ctid FROM webhook_deliveries WHERE school_id = $1 AND endpoint_id = $2 AND next_attempt_at IS NULL AND created_at < (
				SELECT created_at FROM webhook_deliveries WHERE school_id = $1 AND endpoint_id = $2
				ORDER BY created_at DESC, id OFFSET $3 LIMIT 1
			) ORDER BY created_at, id DESC LIMIT $4 FOR UPDATE
		))`
	deleteExpiredWebhookDeliveries = `
		WITH old AS MATERIALIZED ( -- of every school
			SELECT school_id, id FROM webhook_deliveries WHERE created_at < $1 AND next_attempt_at IS NULL
			ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
		)
		DELETE FROM webhook_deliveries d USING old WHERE d.school_id = old.school_id AND d.id = old.id`
)

// Queue implements ports.WebhookRepo.
func (r webhookRepo) Queue(ctx context.Context, ds []webhook.Delivery) error {
	return r.write(ctx, queueDeliveries, webhookDeliveryTable.arrays(r.SchoolID, ds)...)
}

// Claim implements ports.WebhookRepo.
func (r webhookRepo) Claim(ctx context.Context, id webhook.ID, n int, now, until time.Time) ([]webhook.Delivery, error) {
	claimed, err := getAll(ctx, r.session, webhookDeliveryRow.delivery, claimDeliveries, r.SchoolID, id.UUID, n, now, until)
	slices.SortFunc(claimed, func(a, b webhook.Delivery) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), slices.Compare(a.ID.UUID[:], b.ID.UUID[:]))
	})
	return claimed, err
}

// Finish implements ports.WebhookRepo.
func (r webhookRepo) Finish(ctx context.Context, id webhook.ID, ds []webhook.Delivery) (*time.Time, error) {
	if err := r.write(ctx, finishDeliveries, webhookDeliveryTable.arrays(r.SchoolID, ds)...); err != nil {
		return nil, err
	}
	var next *time.Time
	err := r.GetRow(ctx, &next, nextAttempt, r.SchoolID, id.UUID)
	return pgdb.UTC(next), err
}

// Trim implements ports.WebhookRepo.
func (r webhookRepo) Trim(ctx context.Context, id webhook.ID, kept, most int) error {
	return r.write(ctx, trimDeliveries, r.SchoolID, id.UUID, kept-1, most)
}

// DeleteExpiredWebhookDeliveries implements ports.Schools.
func (r schools) DeleteExpiredWebhookDeliveries(ctx context.Context, before time.Time, limit int) (int, error) {
	return r.Exec(ctx, deleteExpiredWebhookDeliveries, before, limit)
}
