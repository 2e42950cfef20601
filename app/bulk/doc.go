// Package bulk implements requests to create many people or groups. A request is accepted
// immediately and saved in parts. Jobs apply the parts row by row, each row completely or not at
// all. Start with Bulk.Accept and Bulk.ApplyNext.
package bulk
