// Package ordered stores rows of one kind in B-trees: by ID, in the default order of their list, in
// an additional order for each section of the list, and by each unique text. It executes list
// queries on these trees and visits as few rows as possible. Copies are cheap, because trees share
// their nodes until one is written to. Start with Table.
package ordered
