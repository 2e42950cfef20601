// Package admission makes the decisions on how people join and leave a school, its groups and its
// courses, how coupons are used, and how courses change. Each decision has one function or type,
// which all use cases call; if a request consists of several rows, it decides on all of them. It
// applies the rules of domain/policy under the locks that they need, and returns the refusal of
// each row. A row that is refused or has no effect is not counted for the rows after it. Start with
// Joining.
package admission
