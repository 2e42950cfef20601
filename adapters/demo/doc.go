// Package demo provides schools to try things on, as files of the lines that
// docs/transfer.md describes.
//
// The demo school is the file demo.jsonl: a small school with categories, courses with
// activities, instructors, managers and learners with some progress, groups, coupons in
// every state with redemptions, and an invitation that is not accepted. Its ids and times
// are fixed, so that examples in the documentation stay true. The people are invented;
// their names are written in many scripts.
//
// A generated school has any size. Every line depends only on the seed and the number of
// the record, so a Size always generates the same lines, and the names of two seeds
// differ.
package demo
