package server

import (
	"crypto/rand"
	"fmt"
)

// MinSecret is the minimum length of Config.Secret in characters.
const MinSecret = 32

func (c Config) checkSecret() error {
	if c.Secret != "" && len(c.Secret) < MinSecret {
		return fmt.Errorf("server.secret: must have at least %d characters", MinSecret)
	}
	return nil
}

// secret returns the secret that encrypts the secrets of schools. Records in memory do not outlive
// the server, so a random secret is enough for them.
func (c Config) secret() string {
	if c.Secret == "" && c.Store == Memory {
		return rand.Text()
	}
	return c.Secret
}
