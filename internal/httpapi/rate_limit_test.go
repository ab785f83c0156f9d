package httpapi

import (
	"context"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/testmark"
)

// newRequestCounter returns a function that counts one request of a user and returns the response's recorder.
func newRequestCounter(t *testing.T, limit int64, period time.Duration) func(p auth.Principal) (*httptest.ResponseRecorder, error) {
	store, err := NewRateStore(period)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	a := newTestAPI(t, Options{RateStore: store, RateLimit: limit, RatePeriod: period})
	return func(p auth.Principal) (*httptest.ResponseRecorder, error) {
		w := httptest.NewRecorder()
		gc, _ := gin.CreateTestContext(w)
		gc.Request = httptest.NewRequest("GET", "/", nil)
		c := &call{gin: gc, api: a, context: t.Context(), route: Route{Access: signedIn}, principal: p}
		return w, c.enforceRateLimit()
	}
}

func own(limit int64) *int64 { return &limit }

func TestRateLimitHeadersAndRejection(t *testing.T) {
	testmark.Concurrent(t)
	take := newRequestCounter(t, 2, time.Hour)
	ann := auth.Principal{UserID: "ann"}
	for _, want := range []string{"1", "0"} {
		w, err := take(ann)
		require.NoError(t, err)
		require.Equal(t, `"default";q=2;w=3600`, w.Header().Get("RateLimit-Policy"))
		require.Regexp(t, `^"default";r=`+want+`;t=(3600|3599)$`, w.Header().Get("RateLimit"))
		require.Equal(t, "2", w.Header().Get("X-RateLimit-Limit"))
		require.Equal(t, want, w.Header().Get("X-RateLimit-Remaining"))
		require.Regexp(t, `^(3600|3599)$`, w.Header().Get("X-RateLimit-Reset"))
	}
	w, err := take(ann)
	require.Equal(t, fault.RateLimited, fault.CodeOf(err))
	require.Equal(t, "0", w.Header().Get("X-RateLimit-Remaining"))
	require.InDelta(t, 3600, fault.As(err).After.Seconds(), 2)

	_, err = take(auth.Principal{UserID: "bob"})
	require.NoError(t, err, "another user has another count")
}

func TestRateLimitAppliesAnOverrideImmediately(t *testing.T) {
	testmark.Concurrent(t)
	take := newRequestCounter(t, 2, time.Hour)
	ann := auth.Principal{UserID: "ann"}
	for range 2 {
		_, err := take(ann)
		require.NoError(t, err)
	}
	for range 50 { // refused requests are not counted
		_, err := take(ann)
		require.Error(t, err)
	}
	ann.RateLimit = own(4)
	for _, want := range []string{"1", "0"} {
		w, err := take(ann)
		require.NoError(t, err, "what was used before the change still counts, and no more")
		require.Equal(t, want, w.Header().Get("X-RateLimit-Remaining"))
		require.Equal(t, `"user";q=4;w=3600`, w.Header().Get("RateLimit-Policy"))
	}
	ann.RateLimit = own(1)
	w, err := take(ann)
	require.Error(t, err)
	require.Equal(t, "0", w.Header().Get("X-RateLimit-Remaining"))
	ann.RateLimit = own(5)
	_, err = take(ann)
	require.NoError(t, err)
}

func TestRateLimitAdmitsExactlyTheLimitInParallel(t *testing.T) {
	testmark.Concurrent(t)
	const limit, requests = 200, 1000
	take := newRequestCounter(t, limit, time.Hour)
	var admitted atomic.Int64
	var all sync.WaitGroup
	for range requests {
		all.Go(func() {
			if _, err := take(auth.Principal{UserID: "ann"}); err == nil {
				admitted.Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, limit, admitted.Load())
}

func TestRateLimitPeriodEnds(t *testing.T) {
	testmark.Concurrent(t)
	take := newRequestCounter(t, 1, time.Second)
	ann := auth.Principal{UserID: "ann"}
	_, err := take(ann)
	require.NoError(t, err)
	w, err := take(ann)
	require.Error(t, err)
	require.Equal(t, "1", w.Header().Get("X-RateLimit-Reset"), "rounded up, so that waiting as long is enough")
	require.Eventually(t, func() bool { _, err := take(ann); return err == nil }, 5*time.Second, 50*time.Millisecond)
}

func TestRateLimitRejectsWhenTheStoreFails(t *testing.T) {
	testmark.Concurrent(t)
	store, err := NewRateStore(time.Hour)
	require.NoError(t, err)
	require.NoError(t, store.Close(context.Background()))
	a := newTestAPI(t, Options{RateStore: store})
	gc, _ := gin.CreateTestContext(httptest.NewRecorder())
	gc.Request = httptest.NewRequest("GET", "/", nil)
	err = (&call{gin: gc, api: a, context: t.Context(), route: Route{Access: signedIn}}).enforceRateLimit()
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
}
