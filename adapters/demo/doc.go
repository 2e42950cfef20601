// Package demo makes schools to try things on, as files of the lines that
// docs/transfer.md describes.
//
// The demo school is the file demo.jsonl: a small school to look around in, with a
// few categories, courses with their activities, instructors, managers and
// learners, what these have done so far, groups, coupons in every state with some
// of their redemptions, and an invitation that waits for an answer. It has fixed
// ids and times, so that it is the same each time and examples in documentation
// stay true. Its people are invented; their names come from many scripts, as those
// of a real school's people do.
//
// A generated school has any size. Every line follows from the seed and its number
// alone, so that a Size makes the same lines each time, and those of two seeds
// have no name in common.
package demo
