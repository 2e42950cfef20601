package worker

import (
	"errors"
	"time"
)

// Config is how much is done at a time, and how soon.
type Config struct {
	Count int           // goroutines for each kind of work; 0: this instance leaves the work to others
	Poll  time.Duration // how often to look for work without being told, above 0
}

// Defaults returns the usual configuration.
func Defaults() Config {
	return Config{Count: 2, Poll: 10 * time.Second}
}

// Validate returns all that is wrong with c, each beginning with the setting's
// name, joined by errors.Join.
func (c Config) Validate() error {
	var errs []error
	if c.Count < 0 {
		errs = append(errs, errors.New("worker.count: must not be negative"))
	}
	if c.Poll <= 0 {
		errs = append(errs, errors.New("worker.poll: must be above 0"))
	}
	return errors.Join(errs...)
}
