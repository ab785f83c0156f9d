package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

const (
	defaultAttemptTimeout = 10 * time.Second
	// maxAnswer is how much of an answer is read, so that its connection can be used again. Nothing of it is kept.
	maxAnswer       = 64 << 10
	maxHeader       = 16 << 10
	idleConnections = 30 * time.Second
)

// sender makes attempts: it posts signed payloads.
type sender struct {
	client  *http.Client
	timeout time.Duration
}

// newSender creates a sender whose connections go to the allowed addresses only, never through a proxy.
func newSender(allowed Addresses, timeout time.Duration) *sender {
	return &sender{timeout: timeout, client: &http.Client{
		Transport: &http.Transport{
			Proxy: nil, DialContext: allowed.dial, DisableCompression: true,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: connectTimeout,
			MaxResponseHeaderBytes: maxHeader, MaxIdleConnsPerHost: parallelAttempts, IdleConnTimeout: idleConnections,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// close closes idle connections.
func (s *sender) close() { s.client.CloseIdleConnections() }

// problem is why an attempt failed, in words that may be stored and shown.
type problem string

func (p problem) Error() string { return string(p) }

// endpointGone is the problem of an endpoint that wants no deliveries any more. Standard Webhooks: "410 Gone: … should disable this
// endpoint, and stop sending messages to it".
const endpointGone problem = "the endpoint answered with status 410, which disables the webhook"

// send makes one attempt. The error is a problem unless the context was cancelled.
func (s *sender) send(ctx context.Context, w *Webhook, id string, body []byte) error {
	attemptCtx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(attemptCtx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return problem("the URL is not valid")
	}
	now := time.Now()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "graphrest")
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	r.Header.Set("webhook-signature", w.Secret.sign(id, now, body))
	answer, err := s.client.Do(r)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return problemOf(err)
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer)
	switch {
	case answer.StatusCode == http.StatusGone:
		return endpointGone
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		return problem("the endpoint redirected with status " + strconv.Itoa(answer.StatusCode) + "; redirects are not followed")
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		return problem("the endpoint answered with status " + strconv.Itoa(answer.StatusCode))
	}
	return nil
}

// problemOf words the error of a request. The error's own text is not used: it contains the URL, which may contain a token.
func problemOf(err error) problem {
	var timeout net.Error
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	switch {
	case errors.Is(err, errRefused):
		return problem("not sent: " + errRefused.Error())
	case errors.As(err, &certificate):
		return "the endpoint's certificate is not valid"
	case errors.As(err, &name):
		return "the host name could not be resolved"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "the endpoint did not answer in time"
	default:
		return "the connection failed"
	}
}
