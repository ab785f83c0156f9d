package httpapi

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/testmark"
)

// contextRecorder rejects every token and keeps the context of the last request.
type contextRecorder struct {
	Accounts
	last context.Context
}

func (w *contextRecorder) Authenticate(ctx context.Context, _ []string) (auth.Principal, error) {
	w.last = ctx
	return auth.Principal{}, fault.New(fault.Unauthenticated, "A token is needed")
}

func TestStoreCallsOfARequestShareItsWaitBudget(t *testing.T) {
	testmark.Concurrent(t)
	accounts := &contextRecorder{}
	a := newTestAPI(t, Options{Accounts: accounts, StoreContext: bolt.WithWaitBudget})
	ask(t, a, http.MethodGet, "/api/nodes")
	first := bolt.WaitBudgetFrom(accounts.last)
	require.NotNil(t, first)
	ask(t, a, http.MethodGet, "/api/nodes")
	require.NotSame(t, first, bolt.WaitBudgetFrom(accounts.last), "another request has its own")
	ask(t, a, http.MethodPost, "/api/import")
	require.Nil(t, bolt.WaitBudgetFrom(accounts.last), "a stream goes on for long, and each of its steps waits for itself")
}
