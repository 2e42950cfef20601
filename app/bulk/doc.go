// Package bulk implements requests about many people or groups. They are accepted at once and saved
// as parts. Jobs apply the parts row by row, each row completely or not at all. Start with
// Bulk.Accept and Bulk.ApplyNext.
package bulk
