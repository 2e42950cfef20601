// Package administration tests what the people who run a school use: its settings, API keys, audit
// trail, change feed, webhooks, quotas and export.
package administration
