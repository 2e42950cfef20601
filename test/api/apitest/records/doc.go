// Package records names the records and links of the schools with which every server starts. Most
// of them are in testdata/own.jsonl and testdata/other_tenant.jsonl.
package records
