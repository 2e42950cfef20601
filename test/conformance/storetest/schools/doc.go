// Package schools tests the ports of schools: their names, settings, API keys and deletion, their
// recorded responses and their deliveries of invitation emails.
package schools
