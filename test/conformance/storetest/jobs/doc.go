// Package jobs tests the ports of the queue of jobs and of bulk jobs.
package jobs
