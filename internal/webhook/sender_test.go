package webhook

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
)

func localhost(t *testing.T) Addresses {
	t.Helper()
	allowed, err := ParseAddresses([]string{"127.0.0.1"})
	require.NoError(t, err)
	return allowed
}

// The published library accepts the signature with the secret as the API shows it, and nothing else.
func TestSignaturesAreStandard(t *testing.T) {
	secret := NewSecret()
	var verified atomic.Int64
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		library, err := standardwebhooks.NewWebhook(secret.Reveal())
		if err == nil && library.Verify(body, r.Header) == nil && library.Verify(append(body, ' '), r.Header) != nil {
			verified.Add(1)
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer endpoint.Close()
	s := newSender(localhost(t), time.Minute)
	defer s.close()
	w := &Webhook{URL: endpoint.URL + "/x?token=y", Secret: secret}
	require.NoError(t, s.send(t.Context(), w, "msg_1-2_A", []byte(`{"type":"node.create"}`)))
	require.Equal(t, int64(1), verified.Load())
	w.Secret = NewSecret()
	require.NoError(t, s.send(t.Context(), w, "msg_1-2_A", []byte(`{}`)))
	require.Equal(t, int64(1), verified.Load(), "another secret")
}

func TestSecrets(t *testing.T) {
	for _, size := range []int{24, 32, 64} {
		text := "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, size))
		s, f := ParseSecret("secret", text)
		require.Nil(t, f)
		require.Equal(t, text, s.Reveal())
	}
	for _, text := range []string{
		"", "whsec_", "whsec_AAAA", strings.Repeat("A", 32), "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 65)),
		"whsec_" + strings.Repeat("-", 32), "whsec_" + strings.Repeat("A", 32) + "\n",
	} {
		_, f := ParseSecret("secret", text)
		require.NotNil(t, f, text)
		require.NotContains(t, f.Error(), "AAAA")
	}
	s := NewSecret()
	require.NotEqual(t, s.Reveal(), NewSecret().Reveal())
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "webhook", Webhook{Secret: s}, "secret", s)
	encoded, err := json.Marshal(Webhook{Secret: s})
	require.NoError(t, err)
	hidden := log.String() + string(encoded) + fmt.Sprintf("%v %+v %#v %s %q %x %+v", s, Webhook{Secret: s}, s, s, s, s, &Webhook{Secret: s})
	key, _ := strings.CutPrefix(s.Reveal(), "whsec_")
	require.NotContains(t, hidden, key)
	require.NotContains(t, hidden, fmt.Sprintf("%x", *s.key))
	require.NotContains(t, hidden, fmt.Sprintf("%d", *s.key))
}

// What an endpoint does wrong is a problem whose text has nothing of the URL or the answer, and no redirect is followed.
func TestProblemsOfAttempts(t *testing.T) {
	var reached atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	released := make(chan struct{})
	for name, test := range map[string]struct {
		handle http.HandlerFunc
		want   string
	}{
		"an error": {
			func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "confidential", http.StatusInternalServerError)
			},
			"the endpoint answered with status 500",
		},
		"an end": {
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) },
			"the endpoint answered with status 410, which disables the webhook",
		},
		"a redirect": {
			func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, inside.URL, http.StatusTemporaryRedirect)
			},
			"the endpoint redirected with status 307; redirects are not followed",
		},
		"no answer": {func(http.ResponseWriter, *http.Request) { <-released }, "the endpoint did not answer in time"},
		"a broken connection": {
			func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "the connection failed",
		},
		"an endless header": {
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("X", strings.Repeat("x", 1<<20))
			}, "the connection failed",
		},
		"an endless answer": {
			func(w http.ResponseWriter, r *http.Request) {
				for r.Context().Err() == nil {
					if _, err := w.Write(make([]byte, 1<<16)); err != nil {
						return
					}
				}
			}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			endpoint := httptest.NewServer(test.handle)
			defer endpoint.Close()
			timeout := time.Minute
			if strings.Contains(test.want, "in time") {
				timeout = 50 * time.Millisecond
			}
			s := newSender(localhost(t), timeout)
			err := s.send(t.Context(), &Webhook{URL: endpoint.URL + "/?token=confidential", Secret: NewSecret()}, "msg_1", []byte("{}"))
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			if name == "no answer" {
				close(released)
			}
			require.EqualError(t, err, test.want)
			require.ErrorAs(t, err, new(problem))
		})
	}
	require.Zero(t, reached.Load())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := newSender(localhost(t), time.Minute).send(ctx, &Webhook{URL: inside.URL, Secret: NewSecret()}, "msg_1", nil)
	require.ErrorIs(t, err, context.Canceled, "an attempt that was cut off is none")
}

// No status and no target makes the sender follow a redirect, or send the payload or its signature a second time.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var reached, posted atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	for _, status := range []int{300, 301, 302, 303, 304, 305, 307, 308} {
		for _, target := range []string{inside.URL, "/same", "//" + strings.TrimPrefix(inside.URL, "http://") + "/", "http://[::1]/"} {
			endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				posted.Add(1)
				w.Header().Set("Location", target)
				w.Header().Set("Refresh", "0; url="+target)
				w.WriteHeader(status)
			}))
			s := newSender(localhost(t), time.Minute)
			err := s.send(t.Context(), &Webhook{URL: endpoint.URL, Secret: NewSecret()}, "msg_1", []byte("{}"))
			s.close()
			endpoint.Close()
			require.EqualError(t, err, fmt.Sprintf("the endpoint redirected with status %d; redirects are not followed", status), target)
		}
	}
	require.Equal(t, int64(8*4), posted.Load())
	require.Zero(t, reached.Load())
}

// No setting of the environment sends deliveries through a proxy, which would connect to addresses that are refused here. Package http
// reads the environment only once in a process, so a test with another environment would show nothing.
func TestProxiesAreNotUsed(t *testing.T) {
	transport, is := newSender(Addresses{}, time.Minute).client.Transport.(*http.Transport)
	require.True(t, is)
	require.Nil(t, transport.Proxy)
}
