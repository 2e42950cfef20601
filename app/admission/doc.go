// Package admission is the decisions on how people get into a school, its groups and its courses,
// how they leave, how coupons are used, and how courses change. Each decision has one function or
// type, which every way in calls, with a batch of rows where there are several. It asks the rules
// of domain/policy, under the locks that they need, and returns the refusal of each row. A refused
// row, and one without effect, does not count for the rows after it. Start with Joining.
package admission
