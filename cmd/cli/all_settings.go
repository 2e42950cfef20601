package cli

import (
	"io"

	"lyceum/cmd/server"
)

// settings contains all settings of a server.
type settings struct {
	Server      serverSettings      `embed:"" prefix:"server." group:"listen"`
	Outgoing    outgoingSettings    `embed:"" prefix:"outgoing." group:"listen"`
	Listen      listenSettings      `embed:"" group:"listen"`
	CORS        corsSettings        `embed:"" prefix:"cors." group:"listen"`
	Links       linkSettings        `embed:"" group:"links"`
	Pages       pageSettings        `embed:"" prefix:"pages." group:"pages"`
	Docs        responseSettings    `embed:"" group:"listen"`
	Store       storeSettings       `embed:"" group:"store"`
	Migration   migrationSettings   `embed:"" group:"store"`
	Changes     changeSettings      `embed:"" prefix:"changes." group:"store"`
	Audit       auditSettings       `embed:"" prefix:"audit." group:"store"`
	Webhooks    webhookSettings     `embed:"" prefix:"webhooks." group:"store"`
	Bulk        bulkSettings        `embed:"" prefix:"bulk." group:"store"`
	Jobs        jobSettings         `embed:"" prefix:"jobs." group:"store"`
	Idempotency idempotencySettings `embed:"" prefix:"idempotency." group:"store"`
	Files       fileSettings        `embed:"" prefix:"files." group:"store"`
	Admission   admissionSettings   `embed:"" prefix:"admission." group:"admission"`
	Rates       rateSettings        `embed:"" prefix:"rates." group:"rates"`
	Quotas      quotaSettings       `embed:"" prefix:"quotas." group:"quotas"`
	Mail        mailSettings        `embed:"" prefix:"mail." group:"mail"`
	Invited     invitationSettings  `embed:"" prefix:"invitations." group:"mail"`
	Worker      workerSettings      `embed:"" prefix:"worker." group:"worker"`
	Log         logSettings         `embed:"" prefix:"log." group:"log"`
	Metrics     metricsSettings     `embed:"" prefix:"metrics." group:"metrics"`
	Shutdown    shutdownSettings    `embed:"" prefix:"shutdown." group:"shutdown"`
}

// read returns the server's configuration. It adds errors of settings to r.
func (s *settings) read(r *settingsParser, logTo io.Writer) server.Config {
	cfg := server.Defaults()
	cfg.Name = s.Server.Name
	cfg.Secret = s.Server.read(r)
	cfg.OutgoingAllowed = r.prefixes("outgoing.allow", s.Outgoing.Allow)
	s.Listen.read(r, &cfg.Transport)
	cfg.Origins = s.CORS.read()
	cfg.Links = s.Links.read()
	s.Pages.read(&cfg)
	s.Docs.read(r, &cfg)
	s.Store.read(r, &cfg)
	s.Migration.read(r, &cfg)
	r.countOrNone("changes.retention-days", s.Changes.RetentionDays, &cfg.ChangeDays)
	r.countOrNone("audit.retention-days", s.Audit.RetentionDays, &cfg.AuditDays)
	r.countOrNone("webhooks.retention-days", s.Webhooks.RetentionDays, &cfg.WebhookDays)
	r.countOrNone("bulk.retention-days", s.Bulk.RetentionDays, &cfg.BulkDays)
	r.countOrNone("jobs.retention-days", s.Jobs.RetentionDays, &cfg.JobDays)
	r.count("idempotency.retention-hours", s.Idempotency.RetentionHours, &cfg.ReplayHours)
	s.Files.read(r, &cfg)
	s.Admission.read(r, &cfg.Admission)
	s.Rates.read(r, &cfg.Rates)
	s.Quotas.read(r, &cfg.Quotas)
	s.Mail.read(r, &cfg.Mail)
	r.duration("invitations.lifetime", s.Invited.Lifetime, &cfg.InvitationLifetime)
	r.countOrNone("invitations.per-day", s.Invited.PerDay, &cfg.InvitationsPerDay)
	s.Worker.read(r, &cfg.Worker)
	cfg.Log = s.Log.read(r, logTo)
	s.Metrics.read(r, &cfg)
	cfg.LogClients = r.toggle("log.clients", s.Log.Clients)
	s.Shutdown.read(r, &cfg.Transport)
	return cfg
}
