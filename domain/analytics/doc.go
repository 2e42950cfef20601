// Package analytics is the three lists that show how people learn. Their rows
// are read-only: the figures in them are set where facts are recorded (packages
// attempt and quizattempt), the names are those of the moment of reading.
package analytics
