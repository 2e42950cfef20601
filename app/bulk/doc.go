// Package bulk is requests about many people or groups: accepted at once, stored as parts, and
// applied by jobs. Each row is applied as a whole or refused. Start with Bulk.Accept and
// Bulk.ApplyNext.
package bulk
