// Package demo is the demo school: a small school to look around in, with a few
// categories, courses with their activities, instructors, managers and learners,
// what these have done so far, groups, coupons in every state with some of their
// redemptions, and an invitation that waits for an answer.
//
// It is the file demo.jsonl, in the lines that docs/transfer.md describes: change
// it there. It has fixed ids and times, so that it is the same each time and
// examples in documentation stay true. Its people are invented; their names come
// from many scripts, as those of a real school's people do.
package demo
