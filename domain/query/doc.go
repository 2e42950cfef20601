// Package query is the list concept: which rows, in which order, which page.
//
// A Schema declares the attributes of a resource once, with their kinds and how
// to read them from a record. Build turns what a client asked for (terms of the
// filter language, words of a search, a sort, a page) into a Query, or into
// faults that name every offending parameter. A Query is compiled twice: here,
// to a predicate and an order over records (Compile, Compare), and by the Postgres
// adapter, to SQL. Both must agree on every input; these rules make them agree:
//
//  1. Text is folded once, in Go (text.Fold), and the fold is stored beside the
//     text. cont, start, end, lt, gt and the order look at the fold; eq and in
//     at the text itself.
//  2. Folds are compared byte by byte (COLLATE "C" in SQL).
//  3. The patterns of cont, start and end are plain text: no wildcards.
//  4. A null attribute matches no predicate, negations included, but [null].
//  5. Every order ends with the uuid, ascending; nulls come last both ways.
//  6. A set equals what it contains; it is null when it is empty, and has no
//     order.
//  7. Times are whole milliseconds; an operand becomes a half-open range.
package query
