package transport

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
)

// pair is a certificate and its key in files. Each handshake checks whether the files
// have changed. The check costs little compared to the handshake, works on every file
// system, and notices a replaced symbolic link.
type pair struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	seen    fileStamp // of the files at the last attempt to read them
}

// fileStamp changes when one of the two files changes.
type fileStamp struct{ cert, key version }

type version struct{ changed, size int64 }

// newPair reads the pair from the two files.
func newPair(certFile, keyFile string, log *slog.Logger) (*pair, error) {
	p := &pair{certFile: certFile, keyFile: keyFile, log: log}
	now, err := p.stamp()
	if err != nil {
		return nil, err
	}
	c, err := p.read()
	if err != nil {
		return nil, err
	}
	p.current, p.seen = c, now
	return p, nil
}

// certificate implements GetCertificate of tls.Config. If the changed files cannot be
// read, the previous pair remains in use until the files change again.
func (p *pair) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, err := p.stamp()
	if err == nil && now == p.seen {
		return p.current, nil
	}
	if err != nil {
		now = fileStamp{} // a file does not exist
	}
	if now != p.seen {
		p.seen = now
		p.reload(err)
	}
	return p.current, nil
}

func (p *pair) reload(err error) {
	var c *tls.Certificate
	if err == nil {
		c, err = p.read()
	}
	if err != nil {
		p.log.Error("cannot load changed certificate, keeping the previous one", "error", err)
		return
	}
	p.current = c
	p.log.Info("certificate reloaded", "fingerprint", fingerprint(*c), "expires", c.Leaf.NotAfter)
}

func (p *pair) stamp() (fileStamp, error) {
	cert, errCert := os.Stat(p.certFile)
	key, errKey := os.Stat(p.keyFile)
	if err := errors.Join(within("tls.cert", errCert), within("tls.key", errKey)); err != nil {
		return fileStamp{}, err
	}
	return fileStamp{versionOf(cert), versionOf(key)}, nil
}

func versionOf(f os.FileInfo) version { return version{f.ModTime().UnixNano(), f.Size()} }

func (p *pair) read() (*tls.Certificate, error) {
	c, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	if err != nil {
		return nil, fmt.Errorf("tls.cert, tls.key: %w", err)
	}
	return &c, nil
}

// within prefixes err with the name of the setting, if there is one.
func within(setting string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", setting, err)
}
