// Package courses tests the ports of the catalog: categories, courses with their structures, and
// coupons.
package courses
