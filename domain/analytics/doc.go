// Package analytics defines the read-only lists of learner data: progress in courses, quiz scores,
// quiz attempts, answers and completions. Their values are saved with the source records (packages
// attempt and quizattempt); the names are read from the current records.
package analytics
