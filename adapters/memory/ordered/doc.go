// Package ordered keeps the rows of one kind in B-trees: by id, in the default
// order of their list, once more for each section of the list, and by each unique
// text. A Table answers list queries from them and looks at as few rows as it can.
// Copies are cheap, since the trees share their nodes.
package ordered
