package transport

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
)

// pair is a certificate and its key in files. It looks whether they have changed
// at each handshake, which costs next to nothing beside the handshake, works on
// every file system, and sees a link that was set anew.
type pair struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	seen    stamp // of the files that were last read, well or badly
}

// stamp is what changes when one of two files does.
type stamp struct{ cert, key version }

type version struct{ changed, size int64 }

// newPair returns the pair in the two files, or what is wrong with it.
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

// certificate is tls.Config's GetCertificate. A pair that cannot be read leaves
// the one before in use, and is tried again once the files change further.
func (p *pair) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, err := p.stamp()
	if err == nil && now == p.seen {
		return p.current, nil
	}
	if err != nil {
		now = stamp{} // a file that is absent
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
		p.log.Error("the changed certificate cannot be used, the one before stays", "error", err)
		return
	}
	p.current = c
	p.log.Info("the certificate was read again", "fingerprint", fingerprint(*c), "expires", c.Leaf.NotAfter)
}

func (p *pair) stamp() (stamp, error) {
	cert, errCert := os.Stat(p.certFile)
	key, errKey := os.Stat(p.keyFile)
	if err := errors.Join(within("tls.cert", errCert), within("tls.key", errKey)); err != nil {
		return stamp{}, err
	}
	return stamp{versionOf(cert), versionOf(key)}, nil
}

func versionOf(f os.FileInfo) version { return version{f.ModTime().UnixNano(), f.Size()} }

func (p *pair) read() (*tls.Certificate, error) {
	c, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	if err != nil {
		return nil, fmt.Errorf("tls.cert, tls.key: %w", err)
	}
	return &c, nil
}

// within puts the setting's name before err, if there is one.
func within(setting string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", setting, err)
}
