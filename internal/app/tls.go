package app

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"graphrest/internal/config"
)

// certificateAge is how long a certificate is used before its files are checked again.
const certificateAge = 10 * time.Second

// certificate is the certificate of the gateway. It is reloaded when its files change, so that a renewed one is used
// without a restart; invalid files leave the old one in use.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger
	age               time.Duration

	mu        sync.Mutex
	checkedAt time.Time
	changed   [2]time.Time // modification times of the files at the last load
	pair      *tls.Certificate
}

// loadCertificate reads the certificate that the configuration names; nil if it names none.
func loadCertificate(c *config.Config, log *slog.Logger) (*certificate, error) {
	if c.HTTP.CertFile == "" {
		return nil, nil //nolint:nilnil // TLS is optional
	}
	source := &certificate{certFile: c.HTTP.CertFile, keyFile: c.HTTP.KeyFile, log: log, age: certificateAge}
	_, err := source.get(nil)
	return source, err
}

// addTo adds TLS to a listener, unless there is no certificate. Connections use HTTP/1.1: HTTP/2 has no benefit here, and every limit of
// the server applies to one request at a time.
func (c *certificate) addTo(listener net.Listener) net.Listener {
	if c == nil {
		return listener
	}
	return tls.NewListener(listener, &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, GetCertificate: c.get,
	})
}

// get returns the certificate for a handshake.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pair != nil && time.Since(c.checkedAt) < c.age {
		return c.pair, nil
	}
	c.checkedAt = time.Now()
	changed, err := modTimes(c.certFile, c.keyFile)
	if err == nil && c.pair != nil && changed == c.changed {
		return c.pair, nil
	}
	var pair tls.Certificate
	if err == nil {
		pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile)
	}
	switch {
	case err == nil:
		if c.pair != nil {
			c.log.Info("the certificate has been read again", "file", c.certFile)
		}
		c.pair, c.changed = &pair, changed
	case c.pair == nil:
		return nil, errors.New("the certificate cannot be used (GRAPHREST_TLS_CERT_FILE, GRAPHREST_TLS_KEY_FILE): " + err.Error())
	case changed != c.changed:
		c.changed = changed
		c.log.Warn("the new certificate cannot be used; the old one stays", "file", c.certFile, "error", err.Error())
	}
	return c.pair, nil
}

// modTimes returns the modification times of the two files, following the links that Kubernetes creates for secrets.
func modTimes(certFile, keyFile string) (times [2]time.Time, err error) {
	for i, name := range []string{certFile, keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return times, err
		}
		times[i] = info.ModTime()
	}
	return times, nil
}
