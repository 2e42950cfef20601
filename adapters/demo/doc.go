// Package demo provides schools for trials and tests, as files of the lines that docs/transfer.md
// describes.
//
// The demo school is the file demo.jsonl: a small school with categories, courses with activities,
// instructors, managers and learners with some progress, groups, coupons in every state with
// redemptions, and an invitation that is not accepted. Its IDs and times are fixed, so that
// examples in the documentation stay valid. The people are fictional; their names are in many
// scripts.
//
// A generated school has any size. Every line depends only on the seed and the number of the
// record, so a Size always generates the same lines, and different seeds generate different names.
package demo
