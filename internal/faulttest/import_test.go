package faulttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// interruptImport imports a graph whose lines have ids, cuts the connection to the database meanwhile, and sends the same lines again: each
// node and edge exists exactly once, whatever happened to the interrupted batch.
func interruptImport(t *testing.T, w *testbed) {
	const nodes = 1_200
	var lines bytes.Buffer
	ids := make([]string, nodes)
	for i := range ids {
		id, err := uuid.NewV7()
		require.NoError(t, err)
		ids[i] = id.String()
		fmt.Fprintf(&lines, `{"kind":"node","id":%q,"type":"Imported","properties":{"n":%d}}`+"\n", ids[i], i)
	}
	for i := range ids {
		id, err := uuid.NewV7()
		require.NoError(t, err)
		fmt.Fprintf(&lines, `{"kind":"edge","id":%q,"type":"IMPORTED","source_id":%q,"target_id":%q,"properties":{}}`+"\n", id, ids[i],
			ids[(i+1)%nodes])
	}
	there := func() int64 { return w.db.Count(t, "MATCH (n:Imported) RETURN count(n)", nil) }

	cut := make(chan struct{})
	go func() {
		defer close(cut)
		for end := time.Now().Add(waitTimeout); there() < nodes/3 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		w.proxy.Stop()
	}()
	first := w.sendImport(t, lines.Bytes())
	<-cut
	require.NoError(t, w.proxy.Start())
	w.awaitReady()
	require.Equal(t, "DATABASE_UNAVAILABLE", first.Error.Code, "%+v", first)
	require.Less(t, first.Data.Lines, int64(2*nodes))
	// What was acknowledged exists.
	require.GreaterOrEqual(t, there(), min(first.Data.Nodes.Created, nodes))

	second := w.sendImport(t, lines.Bytes())
	for end := time.Now().Add(waitTimeout); second.Error.Code == "DATABASE_TIMEOUT" && time.Now().Before(end); {
		second = w.sendImport(t, lines.Bytes()) // the machine may be busy
	}
	require.Empty(t, second.Error.Code, "%+v", second)
	require.EqualValues(t, 2*nodes, second.Data.Lines)
	require.Zero(t, second.Data.Failed, "%+v", second)
	require.GreaterOrEqual(t, second.Data.Nodes.Skipped, first.Data.Nodes.Created)
	require.EqualValues(t, nodes, there())
	require.EqualValues(t, nodes, w.db.Count(t, "MATCH (n:Imported) RETURN count(DISTINCT n.uuid)", nil))
	require.EqualValues(t, nodes, w.db.Count(t,
		"MATCH (a:Imported)-[e:IMPORTED]->(b:Imported) WHERE b.n = (a.n + 1) % $nodes RETURN count(DISTINCT e.uuid)",
		map[string]any{"nodes": nodes}))
	require.EqualValues(t, nodes, w.db.Count(t, "MATCH ()-[e:IMPORTED]->() RETURN count(e)", nil))
}

// imported is the last line of an import's answer.
type imported struct {
	Data struct {
		Lines, Failed int64
		Nodes, Edges  struct{ Created, Skipped int64 }
	}
	Error struct{ Code string }
}

func (w *testbed) sendImport(t *testing.T, lines []byte) (last imported) {
	t.Helper()
	c := w.clientOf(w.gateways[0])
	c.HTTP = &http.Client{Timeout: waitTimeout}
	got, err := c.Send(t.Context(), http.MethodPost, "/api/import?on_conflict=skip", string(lines), "Content-Type", "application/x-ndjson")
	require.NoError(t, err)
	all := slices.Collect(strings.Lines(strings.TrimSpace(got.Body)))
	require.NotEmpty(t, all)
	require.NoError(t, json.Unmarshal([]byte(all[len(all)-1]), &last), got.Body)
	return last
}
