package files

import "errors"

// Config says where files are kept.
type Config struct {
	Dir string // the folder; blank: in memory

	// Secret signs the links by which files are fetched. Blank: one is made at
	// start, so that links end with the process and hold nowhere else.
	Secret string
}

// MinSecret is the fewest characters that a secret may have.
const MinSecret = 32

// Validate returns what is wrong with c, beginning with the name that the
// setting has on the command line.
func (c Config) Validate() error {
	if c.Secret != "" && len(c.Secret) < MinSecret {
		return errors.New("files.secret: must have at least 32 characters")
	}
	return nil
}
