package oidc

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

const (
	// requestTimeout bounds one request to the provider, with its answer.
	requestTimeout = 5 * time.Second
	// maxAnswer is the size of the largest answer that is read, in bytes.
	maxAnswer = 1 << 20
	// maxShown is how much of a provider's text is logged, in bytes.
	maxShown = 200
)

// newClient returns a client for requests to the provider. It follows no redirects: an address of the provider is in its discovery document
// or in the configuration. Clients for an http provider connect to this machine only, so that no name service can lead them elsewhere.
func newClient(loopbackOnly bool) *http.Client {
	dialer := &net.Dialer{Timeout: requestTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		peer, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		a := peer.Addr().Unmap()
		// Link-local addresses are those of cloud metadata services; no provider has one.
		if a.IsUnspecified() || a.IsMulticast() || a.IsLinkLocalUnicast() || loopbackOnly && !a.IsLoopback() {
			return errors.New("the address " + a.String() + " is not one of a provider")
		}
		return nil
	}}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: requestTimeout,
		MaxIdleConns: maxExchanges, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: maxAnswer,
	}
	if loopbackOnly {
		transport.Proxy = nil
	}
	return &http.Client{
		Transport: boundedTransport{transport}, Timeout: requestTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// boundedTransport fails the read of an answer that is larger than maxAnswer.
type boundedTransport struct{ next http.RoundTripper }

func (t boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err == nil {
		response.Body = &boundedBody{ReadCloser: response.Body, left: maxAnswer}
	}
	return response, err
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("the provider's answer is too large")
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// checkAddress accepts https addresses, and with plain also http ones of this machine.
func checkAddress(address string, plain bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxAddress || u.Opaque != "" || u.Hostname() == "" || u.User != nil || u.Fragment != "" ||
		strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("is not an https address without a user name and a fragment")
	case u.Scheme == "https", plain && isLoopbackHTTP(address):
		return nil
	}
	return errors.New("must be an https address; http is for 127.0.0.1, ::1 and localhost only")
}

// isLoopbackHTTP reports whether an address is an http one of this machine.
func isLoopbackHTTP(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" {
		return false
	}
	a, err := netip.ParseAddr(u.Hostname())
	return err == nil && a.IsLoopback() || u.Hostname() == "localhost"
}

// shorten cuts a provider's text for the log, where line breaks are escaped.
func shorten(text string) string {
	if len(text) > maxShown {
		return text[:maxShown] + " ..."
	}
	return text
}
