// Package changes tests the ports of what a store records about changes: the change feed,
// followers, webhooks and the audit trail, and for how long it keeps them.
package changes
