// Package learnerlists contains the lists of what learners have done: their progress, completions,
// quiz scores and answers. It also contains the columns and joins that these lists share with the
// lists of quiz attempts and submissions.
package learnerlists
