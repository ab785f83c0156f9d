package benchlarge

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/testmark"
)

// A whole run on the smallest graph: import, a question of each kind, and the report. It does not check times.
func TestMeasureALargeGraph(t *testing.T) {
	testmark.Long(t)
	gateway, err := gatewaytest.Build(t.TempDir())
	require.NoError(t, err)
	cache, out := t.TempDir(), t.TempDir()
	questions := []string{
		"all nodes, first page", "largest node type, second page", "largest edge type, page at 99 %", "middle node type, page at 50 %",
		"filter on edges, few match", "filter with a range index", "count of a node type", "degree of the hub",
		"all shortest paths between ordinary nodes", "shortest path of an unreachable pair", "search for three words", "schema",
		"few grants: a node by id", "fifty grants: neighbors of an ordinary node", "fifty grants: filter with a range index",
	}
	expression := ""
	for _, name := range questions {
		expression += "|" + regexp.QuoteMeta(name)
	}
	table, err := Run(t.Context(), Options{
		Size: MinSize, Gateway: gateway, Cache: cache, Questions: regexp.MustCompile("^(" + expression[1:] + ")$"),
		Limits:      Limits{Rounds: 1, WarmUp: 1, Time: time.Minute, Timeout: time.Minute, Walk: time.Minute},
		Development: true, HeapMB: 384, PageCacheMB: 64, Commit: "test", Log: t.Output(),
	})
	require.NoError(t, err)
	require.Equal(t, MinSize, table.Nodes, "what was imported to be deleted is gone")
	require.Equal(t, MinSize*71/20+100, table.Edges)
	require.Len(t, table.Answers, len(questions))
	for i, a := range table.Answers {
		require.Equal(t, questions[i], a.Question)
		require.Empty(t, a.Failure, a.Question)
		require.Empty(t, a.CypherFailure, a.Question)
		if a.Question == "middle node type, page at 50 %" {
			require.NotEmpty(t, a.Skipped, "it has one page")
			continue
		}
		require.Positive(t, a.Gateway, a.Question)
		require.Positive(t, a.GatewayFirst, a.Question)
		if a.As != "" {
			require.LessOrEqual(t, a.Rows, a.CypherRows, a.Question)
			continue
		}
		if a.CypherRounds > 0 && a.Rows >= 0 && a.Question != "search for three words" {
			require.Equal(t, a.CypherRows, a.Rows, a.Question)
		}
	}
	require.NoError(t, Add(out, table))
	larger := *table
	larger.Size = 2 * MinSize
	require.NoError(t, Add(out, &larger))
	require.NoError(t, Add(out, &larger), "a table of the same size is replaced")
	document, err := os.ReadFile(filepath.Join(out, "large.md"))
	require.NoError(t, err)
	require.Contains(t, string(document), "| degree of the hub |")
	require.Contains(t, string(document), "| fifty grants: filter with a range index |")

	var printed bytes.Buffer
	options := Options{Size: MinSize, Cache: cache, Development: true, HeapMB: 384, PageCacheMB: 64}
	doctor := exec.Command(gateway, "doctor")
	doctor.Stdout = &printed
	require.NoError(t, RunCommand(t.Context(), options, doctor))
	require.Regexp(t, `node +Person +1000 +no`, printed.String(), "the gateway's command reaches the graph")
	left, err := filepath.Glob(filepath.Join(cache, "*"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(cache, "large-2000")}, left, "the imported graph is kept, all else is removed")
}
