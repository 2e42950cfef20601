// Package admission is how people get into a school, its groups and its courses, out
// of them again, and to the use of coupons. Each decision has one function here, which
// every use case calls that leads to it, whatever the request: it asks the rules of
// domain/policy, once the records are loaded and locked as the rules need it, and says
// what is refused row by row. The rows of a request that are refused count for nothing
// in the rows after them.
package admission
