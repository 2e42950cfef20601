// Package ordered keeps rows of one kind in B-trees: by id, in the default order of their
// list, in one more order for each section of the list, and by each unique text. It
// answers list queries from these trees and visits as few rows as it can. Copies are
// cheap, because the trees share their nodes until one is written to. Start with Table.
package ordered
