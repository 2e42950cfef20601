// Package bulk is requests about many people or groups. They are accepted at once, saved as parts,
// and applied by jobs, row by row, each row completely or not at all. Start with Bulk.Accept and
// Bulk.ApplyNext.
package bulk
