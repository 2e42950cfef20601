// Package jobqueue contains the jobs of all schools. It has its own lock, because workers take jobs
// of any school.
package jobqueue
