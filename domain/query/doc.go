// Package query defines list requests: which rows, in which order, which page.
//
// A Schema declares the attributes of a resource once, with their kinds and how to read them from a
// record. Build turns a client's request (terms of the filter language, words of a search, a sort,
// a page) into a Query, or into faults that name every offending parameter. A Query is compiled
// twice: here, to a predicate and an order over records (Compile, Compare), and by the Postgres
// adapter, to SQL. These rules make both agree on every input:
//
//  1. Text is folded once, in Go (text.Fold), and the fold is stored next to the text. eq, not_eq,
//     in and not_in use the text itself; the other predicates and the order use the fold.
//  2. Folds are compared byte by byte (COLLATE "C" in SQL).
//  3. The operands of cont, start and end are plain text without wildcards.
//  4. A null attribute satisfies only the predicate null. No other holds for it, not even not_eq,
//     not_in or not_cont.
//  5. Every order ends with the uuid, ascending; nulls are last in both directions.
//  6. The predicate eq holds for a set if one of its elements is the operand. The empty set is null.
//     Sets have no order.
//  7. Times are whole milliseconds. An operand is a half-open range of them: a date is its whole day,
//     and with eq and not_eq a time is all times that begin with its digits.
package query
