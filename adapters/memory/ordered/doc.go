// Package ordered stores rows of one kind in B-trees: by ID, by each unique text, in the default
// order of their list, and grouped by each attribute that is a section, such as the course of an
// enrollment. It executes list queries on these trees and visits as few rows as possible. Copies
// are cheap, because trees share their nodes until one is written to. Start with Table.
package ordered
