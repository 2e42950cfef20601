// Package admission is the decisions on how people get into a school, its groups and its courses,
// how they leave, and how coupons are used. Each decision has one function or type, which every way
// in calls with a batch of rows. It asks the rules of domain/policy, under the locks that they
// need, and returns the refusal of each row. A refused row does not count for the rows after it.
// Start with Joining.
package admission
