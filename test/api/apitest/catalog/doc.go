// Package catalog tests categories, courses, their structures and coupons.
package catalog
