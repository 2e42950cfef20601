package usecase

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"

	"lyceum/domain/fault"
)

// Secrets encrypts the secrets that a store saves and that the server must be able to read again,
// such as those with which a school identifies itself to other systems. The zero value has no key.
type Secrets struct{ aead cipher.AEAD }

// sealedPrefix begins every encrypted secret. It names the method: HKDF-SHA256 and AES-256-GCM.
const sealedPrefix = "v1:"

// SetKey derives the key from the secret of the server. A blank secret leaves Secrets without a
// key.
func (s *Secrets) SetKey(secret string) {
	s.aead = nil
	if secret == "" {
		return
	}
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "lyceum secrets of schools", 32)
	if err != nil {
		panic(err) // the length of the key is valid
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // the length of the key is valid
	}
	if s.aead, err = cipher.NewGCMWithRandomNonce(block); err != nil {
		panic(err) // the block size of AES is valid
	}
}

// Seal returns plain in encrypted form. purpose says which secret it is, including the ID of its
// record, so that Open refuses it as the secret of another record. Seal returns Forbidden if there
// is no key.
func (s *Secrets) Seal(plain, purpose string) (string, error) {
	if s.aead == nil {
		return "", fault.Forbiddenf("This server cannot save secrets, because its operator has not set server.secret")
	}
	return sealedPrefix + base64.RawStdEncoding.EncodeToString(s.aead.Seal(nil, nil, []byte(plain), []byte(purpose))), nil
}

// Open returns the secret that Seal encrypted for the same purpose. It returns an error if the key
// is another or the text was changed.
func (s *Secrets) Open(sealed, purpose string) (string, error) {
	if s.aead == nil {
		return "", errors.New("usecase: a secret cannot be read, because server.secret is not set")
	}
	text, ok := strings.CutPrefix(sealed, sealedPrefix)
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if !ok || err != nil {
		return "", errors.New("usecase: a stored secret is not encrypted by this server")
	}
	plain, err := s.aead.Open(nil, nil, raw, []byte(purpose))
	if err != nil {
		return "", errors.New("usecase: a stored secret was encrypted with another server.secret, or was changed")
	}
	return string(plain), nil
}
