package files

import "errors"

// Config says where files are kept.
type Config struct {
	Dir string // the folder; blank: in memory

	// Secret signs the links by which files are fetched. Blank: one is made at
	// start, so that links end with the process and hold nowhere else.
	Secret string

	// MaxSize is how many bytes a file may have, at least one.
	MaxSize int64
}

// Defaults returns the configuration of files in memory.
func Defaults() Config { return Config{MaxSize: 100 << 20} }

// MinSecret is the fewest characters that a secret may have.
const MinSecret = 32

// Validate returns what is wrong with c, beginning with the name that the
// setting has on the command line.
func (c Config) Validate() error {
	var errs []error
	if c.Secret != "" && len(c.Secret) < MinSecret {
		errs = append(errs, errors.New("files.secret: must have at least 32 characters"))
	}
	if c.MaxSize < 1 {
		errs = append(errs, errors.New("files.max-size: must be at least 1"))
	}
	return errors.Join(errs...)
}
