package httpapi

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

// Probes come every second; the log gets a line when the reason changes, and one a minute.
func TestReadinessIsLoggedWhenItChanges(t *testing.T) {
	var written bytes.Buffer
	log := slog.New(slog.NewTextHandler(&written, nil))
	var r readiness
	probe := func(reasons ...string) string {
		written.Reset()
		var found []fault.Detail
		var causes []error
		for _, reason := range reasons {
			found, causes = append(found, fault.Detail{Field: reason}), append(causes, errors.New("cause of "+reason))
		}
		r.report(t.Context(), log, found, causes)
		r.last = found
		return written.String()
	}
	require.Empty(t, probe())
	first := probe("database", "accounts")
	require.Equal(t, 2, strings.Count(first, "not ready"), first)
	require.Contains(t, first, "cause of accounts")
	require.Empty(t, probe("database", "accounts"))
	require.Contains(t, probe("database"), "reason=database")
	require.Empty(t, probe("database"))
	r.reportedAt = time.Now().Add(-2 * time.Minute)
	require.Contains(t, probe("database"), "not ready")
	require.Contains(t, probe(), "ready again")
	require.Empty(t, probe())
}
