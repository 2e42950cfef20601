package files

import "errors"

// Config configures where files are stored.
type Config struct {
	Dir string // folder; blank: files are kept in memory

	// Secret signs the download links. If it is blank, a random secret is generated at startup, so
	// that links are valid only for this process.
	Secret string

	// MaxSize is the maximum size of a file in bytes, at least 1.
	MaxSize int64
}

// Defaults returns the configuration for files in memory.
func Defaults() Config { return Config{MaxSize: 100 << 20} }

// MinSecret is the minimum length of a Secret in characters.
const MinSecret = 32

// Validate returns an error for each invalid setting. Each starts with the name of the setting's
// flag.
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
