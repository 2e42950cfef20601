// Package admission decides how people get into a school, its groups and its courses, how they
// leave them, and how coupons are used. Each decision has one function or type, which all use cases
// call with a batch of rows. It takes the locks that the rules of domain/policy need, asks the
// rules, and returns the refusal of each row. A refused row does not count for the rows after it.
// Start with Joining.
package admission
