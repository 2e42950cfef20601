package worker

import (
	"errors"
	"time"
)

// Config configures a Pool.
type Config struct {
	Count int           // goroutines for each kind of job; 0: this instance runs no jobs
	Poll  time.Duration // interval of polling without a wake-up; positive
}

// Defaults returns the usual configuration.
func Defaults() Config {
	return Config{Count: 4, Poll: 10 * time.Second}
}

// Validate returns the errors of all settings, joined by errors.Join. Each starts with the
// name of the setting's flag.
func (c Config) Validate() error {
	var errs []error
	if c.Count < 0 {
		errs = append(errs, errors.New("worker.count: must not be negative"))
	}
	if c.Poll <= 0 {
		errs = append(errs, errors.New("worker.poll: must be greater than 0"))
	}
	return errors.Join(errs...)
}
