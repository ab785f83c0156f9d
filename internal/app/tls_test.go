package app

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// writePair writes a new certificate for 127.0.0.1 and its key, with modification times that differ on every file system.
func writePair(t *testing.T, dir string, serial int64) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "gateway"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	certFile, keyFile = filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	for name, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: der},
		keyFile:  {Type: "PRIVATE KEY", Bytes: private},
	} {
		require.NoError(t, os.WriteFile(name, pem.EncodeToMemory(block), 0o600))
		at := time.Now().Add(time.Duration(serial) * time.Second)
		require.NoError(t, os.Chtimes(name, at, at))
	}
	return certFile, keyFile
}

func TestTLSOnTheGatewayItself(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	certFile, keyFile := writePair(t, t.TempDir(), 1)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_TLS_CERT_FILE="+certFile, "GRAPHREST_TLS_KEY_FILE="+keyFile)
	address := g.url[len("http://"):]
	trusted := x509.NewCertPool()
	content, err := os.ReadFile(certFile)
	require.NoError(t, err)
	require.True(t, trusted.AppendCertsFromPEM(content))
	g.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	require.Equal(t, http.StatusBadRequest, g.status("/healthz", ""), "the answer to plain HTTP says that this is TLS")
	g.url = "https://" + address
	g.waitReady(t)
	require.Equal(t, http.StatusOK, g.status("/api/auth/me", g.login(t)))
	_, err = tls.Dial("tcp", address, &tls.Config{RootCAs: trusted, MaxVersion: tls.VersionTLS11})
	require.Error(t, err, "versions before TLS 1.2 are rejected")
	g.stop()
	require.NoError(t, <-g.ended)
}

func TestARenewedCertificateCountsWithoutARestart(t *testing.T) {
	dir := t.TempDir()
	log := &bytes.Buffer{}
	c := &certificate{log: slog.New(slog.NewTextHandler(log, nil))} // age 0: it checks the files each time
	c.certFile, c.keyFile = writePair(t, dir, 1)
	serial := func() int64 {
		t.Helper()
		pair, err := c.get(nil)
		require.NoError(t, err)
		return pair.Leaf.SerialNumber.Int64()
	}
	require.EqualValues(t, 1, serial())
	writePair(t, dir, 2)
	require.EqualValues(t, 2, serial())
	require.NoError(t, os.WriteFile(c.keyFile, []byte("half a fi"), 0o600))
	require.EqualValues(t, 2, serial(), "with an unusable file the old certificate stays in use")
	require.EqualValues(t, 2, serial())
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("cannot be used")), "and is logged once")
	writePair(t, dir, 5)
	require.EqualValues(t, 5, serial())
	require.NoError(t, os.Remove(c.certFile))
	require.EqualValues(t, 5, serial())

	_, err := (&certificate{certFile: c.certFile, keyFile: c.keyFile}).get(nil)
	require.ErrorContains(t, err, "GRAPHREST_TLS_CERT_FILE")
}
