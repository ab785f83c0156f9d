package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// Every route that creates nodes with several labels has the same limit.
func TestEveryRouteLimitsTheLabelsOfANode(t *testing.T) {
	srv := newTestServer(t, nil)
	node := func(count int) string {
		labels := make([]string, count)
		for i := range labels {
			labels[i] = fmt.Sprintf(`"L%d"`, i)
		}
		return `"type":"L0","labels":[` + strings.Join(labels, ",") + `],"properties":{}}`
	}
	create := func(route, node string) reply {
		if route == "/api/import" {
			return srv.send(t, "root", "POST", route, `{"kind":"node",`+node+"\n", "Content-Type", "application/x-ndjson")
		}
		title := ""
		if route == "/api/changesets" {
			title = `"title":"t",`
		}
		return srv.send(t, "root", "POST", route, `{`+title+`"operations":[{"op":"create_node",`+node+`]}`)
	}
	for _, route := range []string{"/api/batch?dry_run=true", "/api/import", "/api/changesets"} {
		t.Run(route, func(t *testing.T) {
			allowed, refused := create(route, node(graph.MaxLabels)), create(route, node(graph.MaxLabels+1))
			require.NotContains(t, allowed.body, "must have at most", allowed.body)
			require.Less(t, allowed.status, 300, allowed.body)
			require.Contains(t, refused.body, "must have at most 64 names", refused.body)
		})
	}
}
