package neo4jstore_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/maintenance"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// answeredStatements records the names of the statements that succeeded.
type answeredStatements struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (n *answeredStatements) Statement(_ context.Context, name, _ string, _ time.Time, failure string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen[name] = n.seen[name] || failure == ""
}

func (n *answeredStatements) has(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen[name]
}

// securitySettings are the lines of the guide for neo4j.conf.
func securitySettings(t *testing.T) map[string]string {
	t.Helper()
	guide, err := os.ReadFile("../../docs/database-account.md")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(guide), "```properties\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "```")
	settings := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		name, value, _ := strings.Cut(line, "=")
		settings[name] = value
	}
	return settings
}

// findings are doctor's findings, by subject.
func findings(t *testing.T, s *neo4jstore.Store) map[string]graph.Finding {
	t.Helper()
	d, err := maintenance.New(neo4jstore.ClientOf(s), s.Constraints, s.Names, "uuid").Diagnose(t.Context())
	require.NoError(t, err)
	found := map[string]graph.Finding{}
	for _, f := range d.Findings {
		found[f.Subject] = f
	}
	return found
}

// doctor reports what a default installation leaves open; a server with the guide's settings has no findings, and serves every statement
// that calls a procedure.
func TestServerWithTheGuidesSettings(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	db := neo4jtest.OpenPrepared(t)
	open := findings(t, openOn(t, db, func(c *settings) { c.MaxNodeTypes = -1 }))
	require.Contains(t, open["files"].Message, "LOAD CSV can read every file below ")
	require.Contains(t, open["addresses"].Message, "LOAD CSV can fetch from addresses")
	require.Contains(t, open["procedures"].Message, "no allow-list is set")
	require.Equal(t, graph.Warning, open["files"].Level)
	require.Equal(t, graph.Note, open["procedures"].Level)
	require.Contains(t, open["names"].Message, "of kind node_type, and the gateway adds none beyond 0")
	require.Equal(t, graph.Problem, open["names"].Level)
	require.NotContains(t, open, "transport")

	version := db.Query(t, "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version",
		nil)[0]["version"].(string)
	server := neo4jtest.FreshServer(t, neo4jdev.Options{Version: version, ExtraConf: securitySettings(t)})
	names := &answeredStatements{seen: map[string]bool{}}
	s := openOn(t, neo4jtest.Connect(t, server), func(c *settings) { c.client.Statements = []bolt.StatementObserver{names} })
	callEveryProcedure(t, s)
	closed := findings(t, s)
	for _, subject := range []string{"files", "addresses", "procedures", "names", "settings", "login"} {
		require.NotContains(t, closed, subject)
	}
	files, err := filepath.Glob("../../cypher/*/*.cypher")
	require.NoError(t, err)
	called := 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(content), "CALL db") {
			called++
			name := strings.TrimSuffix(filepath.Base(file), ".cypher")
			require.True(t, names.has(name), "%s was not run with the allow-list", name)
		}
	}
	require.Greater(t, called, 8)
}

// callEveryProcedure makes the store run every statement that calls a procedure, except doctor's.
func callEveryProcedure(t *testing.T, s *neo4jstore.Store) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, s.Bulk.Import(graph.OnConflictError).Types(ctx, []graph.TypeName{"Person"}))
	created, err := s.CreateNode(ctx, graph.NewNode{Type: "Person", Properties: graph.Properties{"name": "Ann"}})
	require.NoError(t, err)
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Person"})
	require.NoError(t, err)
	for _, name := range []string{"Ann", "Bob"} {
		_, err = s.CreateEdge(ctx, graph.NewEdge{
			Type: "KNOWS", SourceID: created.Entity.ID, TargetID: created.Entity.ID, Properties: graph.Properties{"name": name},
		})
		require.NoError(t, err)
	}
	_, err = s.Schema(ctx)
	require.NoError(t, err)
	_, err = s.Nodes(ctx, graph.NodeQuery{Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	one := graph.Paging{Limit: 1, Count: true}
	_, err = s.Nodes(ctx, graph.NodeQuery{Type: "Person", Paging: one})
	require.NoError(t, err)
	_, err = s.Edges(ctx, graph.EdgeQuery{Paging: one})
	require.NoError(t, err)
	for kind, typ := range map[graph.Kind]graph.TypeName{graph.NodeKind: "Person", graph.EdgeKind: "KNOWS"} {
		_, err = s.CreateSearchIndex(ctx, graph.NewSearchIndex{
			Name: string(kind), Kind: kind, Types: []graph.TypeName{typ}, Properties: []string{"name"}, Analyzer: "english",
		})
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		hits, err := s.Search(ctx, graph.SearchQuery{Words: []graph.Word{{Text: "Ann"}}, Paging: graph.Paging{Limit: 10}})
		return err == nil && len(hits.Items) == 2
	}, time.Minute, 100*time.Millisecond)
}
