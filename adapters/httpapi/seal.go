package httpapi

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
)

// seal closes answers that hold a secret, so that a store which keeps them does
// not know it. It is made of the API key that the request shows, which no store
// knows either.
type seal [sha256.Size]byte

func newSeal(secret string) seal { return sha256.Sum256([]byte("lyceum answer\n" + secret)) }

// close returns plain in a form that only open with the same key reads.
func (s seal) close(key string, plain []byte) ([]byte, error) {
	box, err := s.box(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, box.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return box.Seal(nonce, nonce, plain, nil), nil
}

// open returns what close has closed, an error when it was another seal or key.
func (s seal) open(key string, closed []byte) ([]byte, error) {
	box, err := s.box(key)
	if err != nil {
		return nil, err
	}
	if len(closed) < box.NonceSize() {
		return nil, errors.New("httpapi: too short to be sealed")
	}
	return box.Open(nil, closed[:box.NonceSize()], closed[box.NonceSize():], nil)
}

func (s seal) box(key string) (cipher.AEAD, error) {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(key))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
