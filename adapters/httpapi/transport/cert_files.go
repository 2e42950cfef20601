package transport

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
)

// pair is a certificate and its key in files. Each handshake reads both files. This costs little
// compared to the handshake, works on every file system and detects every change; a comparison of
// times and sizes would miss some changes.
type pair struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	seen    contents // content of the files when they were last loaded, successfully or not
}

// contents contains the content of the two files. Both are nil if a file cannot be read.
type contents struct{ cert, key []byte }

func (c contents) equal(other contents) bool {
	return bytes.Equal(c.cert, other.cert) && bytes.Equal(c.key, other.key)
}

// newPair reads the pair from the two files.
func newPair(certFile, keyFile string, log *slog.Logger) (*pair, error) {
	p := &pair{certFile: certFile, keyFile: keyFile, log: log}
	now, err := p.read()
	if err != nil {
		return nil, err
	}
	p.current, err = load(now)
	p.seen = now
	return p, err
}

// certificate implements GetCertificate of tls.Config. If the changed files cannot be loaded, the
// previous pair remains in use until the files change again.
func (p *pair) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, err := p.read()
	if now.equal(p.seen) {
		return p.current, nil
	}
	p.seen = now
	var c *tls.Certificate
	if err == nil {
		c, err = load(now)
	}
	if err != nil {
		p.log.Error("cannot load changed certificate, keeping the previous one", "error", err)
		return p.current, nil
	}
	p.current = c
	p.log.Info("certificate reloaded", "fingerprint", fingerprint(*c), "expires", c.Leaf.NotAfter)
	return p.current, nil
}

func (p *pair) read() (contents, error) {
	cert, errCert := os.ReadFile(p.certFile)
	key, errKey := os.ReadFile(p.keyFile)
	if err := errors.Join(within("tls.cert", errCert), within("tls.key", errKey)); err != nil {
		return contents{}, err
	}
	return contents{cert, key}, nil
}

func load(from contents) (*tls.Certificate, error) {
	c, err := tls.X509KeyPair(from.cert, from.key)
	if err != nil {
		return nil, fmt.Errorf("tls.cert, tls.key: %w", err)
	}
	return &c, nil
}

// within returns err with the name of the setting as a prefix, or nil if err is nil.
func within(setting string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", setting, err)
}
