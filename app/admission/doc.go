// Package admission decides whether people may join or leave a school, its groups and its courses,
// whether coupons may be used, and whether courses may change. All use cases share these decisions.
// The package applies the rules of domain/policy and takes the locks that they need. For a request
// with several rows it returns the refusal of each row. A row that is refused or has no effect does
// not count toward the limits for later rows. Start with Joining.
package admission
