package neo4jstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func openAudited(t testing.TB) (*neo4jstore.Store, *neo4jtest.DB) {
	t.Helper()
	return open(t, func(c *settings) { c.audit.Mode = audit.All })
}

func actor(name string) context.Context {
	return audit.WithActor(context.Background(),
		audit.Actor{User: name, UserID: "id of " + name, RequestID: "request-of-" + name, Address: "192.0.2.7"})
}

// readEntries reads all entries that a query selects, newest first, in pages of a size.
func readEntries(t testing.TB, s *neo4jstore.Store, q audit.Query, size int) []audit.Entry {
	t.Helper()
	var all []audit.Entry
	q.Limit = size
	for {
		page, err := neo4jstore.AuditOf(s).Entries(context.Background(), q)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Entries), size)
		all = append(all, page.Entries...)
		if page.Next == nil {
			return all
		}
		q.After = page.Next
	}
}

// formatEntry is a short description of an entry.
func formatEntry(e audit.Entry) string {
	return fmt.Sprint(e.Actor.User, " ", e.Action, " ", e.Kind, " ", e.Entity, " ", e.Name, " ", e.Fields, " ", e.Count)
}

func formatEntries(all []audit.Entry) []string {
	out := make([]string, len(all))
	for i, e := range all {
		out[i] = formatEntry(e)
	}
	return out
}

func TestAuditRecordsEveryChange(t *testing.T) {
	s, db := openAudited(t)
	ctx := actor("ann")
	a, err := s.CreateNode(ctx, graph.NewNode{Type: "Person", Properties: graph.Properties{"name": "secret value"}})
	require.NoError(t, err)
	b, err := s.CreateNode(ctx, graph.NewNode{Type: "Person", Key: &graph.IdempotencyKey{UserID: "ann", Key: "k", Fingerprint: "f"}})
	require.NoError(t, err)
	again, err := s.CreateNode(ctx, graph.NewNode{Type: "Person", Key: &graph.IdempotencyKey{UserID: "ann", Key: "k", Fingerprint: "f"}})
	require.NoError(t, err)
	require.True(t, again.Replayed)
	e, err := s.CreateEdge(ctx, graph.NewEdge{Type: "KNOWS", SourceID: a.Entity.ID, TargetID: b.Entity.ID})
	require.NoError(t, err)
	_, err = s.UpdateNode(actor("bob"), a.Entity.ID, graph.Change{Properties: graph.Properties{"name": "x", "born": nil}})
	require.NoError(t, err)
	_, err = s.UpdateEdge(ctx, e.Entity.ID,
		graph.Change{Properties: graph.Properties{"since": int64(1)}, If: graph.Precondition{Revisions: []graph.Revision{e.Entity.Revision()}}})
	require.NoError(t, err)
	_, err = s.DeleteEdge(ctx, e.Entity.ID, graph.Removal{})
	require.NoError(t, err)
	_, err = s.DeleteNode(ctx, b.Entity.ID, graph.Removal{If: graph.Precondition{Revisions: []graph.Revision{b.Entity.Revision()}}})
	require.NoError(t, err)

	element := db.Query(t, "CREATE (n:Old {n: 1}) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	_, err = s.DeleteNode(ctx, element, graph.Removal{})
	require.NoError(t, err)

	require.Equal(t, []string{
		"ann delete node " + element + " Old [] 1",
		"ann delete node " + b.Entity.ID + " Person [] 1",
		"ann delete edge " + e.Entity.ID + " KNOWS [] 1",
		"ann update edge " + e.Entity.ID + " KNOWS [since] 1",
		"bob update node " + a.Entity.ID + " Person [born name] 1",
		"ann create edge " + e.Entity.ID + " KNOWS [] 1",
		"ann create node " + b.Entity.ID + " Person [] 1",
		"ann create node " + a.Entity.ID + " Person [] 1",
	}, formatEntries(readEntries(t, s, audit.Query{}, 3)))

	one := readEntries(t, s, audit.Query{User: "bob"}, 10)
	require.Len(t, one, 1)
	require.Equal(t, audit.Actor{User: "bob", UserID: "id of bob", RequestID: "request-of-bob", Address: "192.0.2.7"}, one[0].Actor)
	require.WithinDuration(t, time.Now(), one[0].At, time.Minute)
	require.Equal(t, audit.Done, one[0].Outcome)
	require.NotContains(t, fmt.Sprint(db.Query(t, "MATCH (e:_GraphrestAudit) RETURN properties(e) AS all", nil)), "secret value")
}

func TestAuditOfTheGraphIsOffUnlessAskedFor(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	prepare(t, db)
	for _, mode := range []audit.Mode{"", audit.Off, audit.Admin} {
		s := openPrepared(t, db, func(c *settings) { c.audit.Mode = mode })
		n, err := s.CreateNode(actor("ann"), graph.NewNode{Type: "Person"})
		require.NoError(t, err)
		_, err = s.UpdateNode(actor("ann"), n.Entity.ID, graph.Change{Properties: graph.Properties{"n": int64(1)}})
		require.NoError(t, err)
		require.EqualValues(t, 0, db.Query(t, "MATCH (e:_GraphrestAudit) RETURN count(e) AS n", nil)[0]["n"])
	}
}

// The audit has no entry for what failed, and one for each row of a batch that succeeded, once.
func TestAuditOfABatchRecordsOnlyCommittedRows(t *testing.T) {
	s, db := openAudited(t)
	_, err := s.CreateNode(context.Background(), graph.NewNode{Type: "Coded", Properties: graph.Properties{"code": int64(-1)}})
	require.NoError(t, err)
	db.Exec(t, "CREATE CONSTRAINT coded FOR (n:Coded) REQUIRE n.code IS UNIQUE", nil)

	const callers = 120
	var mu sync.Mutex
	created := map[string]string{}
	rejected := 0
	var group sync.WaitGroup
	for i := range callers {
		group.Go(func() {
			name := fmt.Sprint("user", i)
			code := int64(i)
			if i%10 == 0 {
				code = -1 // is taken: the whole transaction fails, and its rows are run separately
			}
			n, err := s.CreateNode(actor(name), graph.NewNode{Type: "Coded", Properties: graph.Properties{"code": code}})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				require.Equal(t, fault.Conflict, fault.CodeOf(err))
				rejected++
				return
			}
			created[n.Entity.ID] = name
		})
	}
	group.Wait()
	require.Equal(t, callers/10, rejected)

	found := map[string]string{}
	for _, e := range readEntries(t, s, audit.Query{Action: audit.Create, Kind: audit.Node}, 7) {
		if e.Actor.User != "" {
			require.NotContains(t, found, e.Entity, "twice")
			found[e.Entity] = e.Actor.User
		}
	}
	require.Equal(t, created, found)
	transactions := db.Query(t, "MATCH (e:_GraphrestAudit) RETURN count(e) AS n", nil)[0]["n"].(int64)
	require.Less(t, transactions, int64(callers), "one for each transaction, not for each row")

	_, err = s.DeleteNode(actor("ann"), "0198-nothing", graph.Removal{})
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = s.UpdateNode(actor("ann"), "0198-nothing", graph.Change{Properties: graph.Properties{"n": int64(1)}})
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.Empty(t, readEntries(t, s, audit.Query{User: "ann"}, 10))
}

// Rows that the statement itself rejects: a delete of a node with edges, and an edge whose end was deleted since it was cached.
func TestAuditOmitsRejectedRows(t *testing.T) {
	s, db := openAudited(t)
	held, err := s.CreateNode(context.Background(), graph.NewNode{Type: "Person"})
	require.NoError(t, err)
	gone, err := s.CreateNode(context.Background(), graph.NewNode{Type: "Person"})
	require.NoError(t, err)
	_, err = s.CreateEdge(context.Background(), graph.NewEdge{Type: "KNOWS", SourceID: held.Entity.ID, TargetID: held.Entity.ID})
	require.NoError(t, err)
	detach := false
	_, err = s.DeleteNode(actor("ann"), held.Entity.ID, graph.Removal{Detach: &detach})
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	db.Exec(t, "MATCH (n {uuid: $id}) DELETE n", map[string]any{"id": gone.Entity.ID})
	_, err = s.CreateEdge(actor("ann"), graph.NewEdge{Type: "KNOWS", SourceID: held.Entity.ID, TargetID: gone.Entity.ID})
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	require.Empty(t, readEntries(t, s, audit.Query{User: "ann"}, 10))
}

// A change and its entry are one transaction: if the entry cannot be written, nothing is changed.
func TestAuditAndChangeAreOneTransaction(t *testing.T) {
	s, db := openAudited(t)
	kept, err := s.CreateNode(actor("ann"), graph.NewNode{Type: "Person", Properties: graph.Properties{"n": int64(1)}})
	require.NoError(t, err)
	before := readEntries(t, s, audit.Query{}, 10)
	// A constraint on the audit's own data makes writing the entry fail, at the statement or at the commit.
	db.Exec(t, "CREATE CONSTRAINT no_more FOR (e:_GraphrestAudit) REQUIRE e.outcome IS UNIQUE", nil)
	defer db.Exec(t, "DROP CONSTRAINT no_more", nil)

	_, err = s.CreateNode(actor("ann"), graph.NewNode{Type: "Person"})
	require.Error(t, err)
	_, err = s.UpdateNode(actor("ann"), kept.Entity.ID, graph.Change{Properties: graph.Properties{"n": int64(2)}})
	require.Error(t, err)
	_, err = s.DeleteNode(actor("ann"), kept.Entity.ID,
		graph.Removal{If: graph.Precondition{Revisions: []graph.Revision{kept.Entity.Revision()}}})
	require.Error(t, err)
	rows := db.Query(t, "MATCH (n:Person) RETURN n.n AS n", nil)
	require.Len(t, rows, 1)
	require.EqualValues(t, 1, rows[0]["n"])
	require.Equal(t, before, readEntries(t, s, audit.Query{}, 10))
}

// A change of the schema cannot be in one transaction with its entry. If writing the entry fails, the fault says that the change was made,
// and the same request sent again writes the entry.
func TestAuditOfASearchIndexIsWrittenByARepeatedRequest(t *testing.T) {
	s, db := openAudited(t)
	// With a constraint on the audit's data, its one entry is the only possible one.
	refuse := func() {
		db.Exec(t, "MATCH (e:_GraphrestAudit) DELETE e", nil)
		db.Exec(t, "CREATE (:_GraphrestAudit {at: 1, outcome: 'done', lines: []})", nil)
		db.Exec(t, "CREATE CONSTRAINT no_more FOR (e:_GraphrestAudit) REQUIRE e.outcome IS UNIQUE", nil)
	}
	allow := func() { db.Exec(t, "DROP CONSTRAINT no_more", nil) }
	n := graph.NewSearchIndex{Name: "names", Kind: graph.NodeKind, Types: []graph.TypeName{"Person", "City"}, Properties: []string{"name"}}
	other := n
	other.Properties = []string{"title"}
	refuse()
	for range 2 {
		_, err := s.CreateSearchIndex(actor("ann"), n)
		requireFault(t, err, fault.DatabaseUnavailable)
		require.Contains(t, fault.As(err).Message, "was created")
	}
	allow()
	_, err := s.CreateSearchIndex(actor("ann"), other)
	requireFault(t, err, fault.Conflict, "name")
	created, err := s.CreateSearchIndex(actor("bob"), n)
	require.NoError(t, err)
	require.Equal(t, n.Name, created.Name)
	require.Equal(t, []string{"ann create search_index names names [] 1"},
		formatEntries(readEntries(t, s, audit.Query{Kind: audit.SearchIndex}, 10)))
	_, err = s.CreateSearchIndex(actor("ann"), n)
	requireFault(t, err, fault.Conflict, "name")

	refuse()
	for range 2 {
		err = s.DeleteSearchIndex(actor("bob"), n.Name)
		requireFault(t, err, fault.DatabaseUnavailable)
		require.Contains(t, fault.As(err).Message, "was removed")
	}
	allow()
	require.NoError(t, s.DeleteSearchIndex(actor("bob"), n.Name))
	require.Equal(t, []string{"bob delete search_index names names [] 1"},
		formatEntries(readEntries(t, s, audit.Query{Kind: audit.SearchIndex}, 10)))
	requireFault(t, s.DeleteSearchIndex(actor("bob"), n.Name), fault.NotFound)
}

func TestASearchIndexWhoseReplyIsLostIsAudited(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	s, cut := openCutter(t, db, func(c *settings) { c.audit.Mode = audit.All })
	lose := func(statement string) { cut.commit.Store(&statement) }
	lose("create_search_index_nodes")
	_, err := s.CreateSearchIndex(actor("ann"),
		graph.NewSearchIndex{Name: "names", Kind: graph.NodeKind, Types: []graph.TypeName{"Person"}, Properties: []string{"name"}})
	require.NoError(t, err)
	lose("drop_search_index")
	require.NoError(t, s.DeleteSearchIndex(actor("ann"), "names"))
	require.EqualValues(t, 2, cut.cuts.Load())
	require.Equal(t, []string{"ann delete search_index names names [] 1", "ann create search_index names names [] 1"},
		formatEntries(readEntries(t, s, audit.Query{}, 10)))
}

// An import names the entities that it created up to a limit, and all that it changed; the others are counted completely.
func TestAuditOfAnImportNamesWhatItChanged(t *testing.T) {
	// No type is managed yet: the import creates one.
	s := openOn(t, neo4jtest.Open(t), func(c *settings) { c.audit.Mode = audit.All })
	into := s.Bulk.Import(graph.OnConflictMerge)
	require.NoError(t, into.Types(actor("ann"), []graph.TypeName{"Person", "Person"}))
	var batch []graph.BulkLine
	for i := range 150 {
		batch = append(batch, graph.BulkLine{Number: int64(i + 1), Node: &graph.BulkNode{
			ID: fmt.Sprint("n", i), Labels: []graph.TypeName{"Person"}, Properties: graph.Properties{"age": int64(i)},
		}})
	}
	counts := func(user string) (named, rest int64) {
		for _, e := range readEntries(t, s, audit.Query{User: user, Kind: audit.Node, Action: audit.Import}, 70) {
			if e.Entity == "" {
				rest += e.Count
				continue
			}
			require.Equal(t, "Person", e.Name)
			named++
		}
		return named, rest
	}
	_, err := into.Write(actor("ann"), batch)
	require.NoError(t, err)
	named, rest := counts("ann")
	require.EqualValues(t, []int64{neo4jaudit.MaxNamedCreates, 150 - neo4jaudit.MaxNamedCreates}, []int64{named, rest})
	require.Equal(t, []string{"ann import type nodes/Person Person [] 1"}, formatEntries(readEntries(t, s, audit.Query{Kind: audit.Type}, 10)),
		"the label, once")

	_, err = into.Write(actor("bob"), batch)
	require.NoError(t, err)
	named, rest = counts("bob")
	require.EqualValues(t, []int64{150, 0}, []int64{named, rest})
	require.Equal(t, []string{"bob import node n149 Person [age] 1"},
		formatEntries(readEntries(t, s, audit.Query{Entity: "n149", User: "bob"}, 10)))

	_, err = into.Write(actor("cid"), []graph.BulkLine{
		{Number: 1, Node: &graph.BulkNode{Ref: "x"}},
		{Number: 2, Edge: &graph.BulkEdge{ID: "e", Type: "TO", Source: graph.BulkEnd{Ref: "x"}, Target: graph.BulkEnd{ID: "n1"}}},
	})
	require.NoError(t, err)
	all := readEntries(t, s, audit.Query{User: "cid"}, 10)
	require.Len(t, all, 2)
	require.Equal(t, "cid import edge e TO [] 1", formatEntry(all[0]))
	node, err := s.Node(t.Context(), all[1].Entity)
	require.NoError(t, err, "the node without a type is named by its element id")
	require.Empty(t, node.Labels)
}

// The gateway's own request id is stored with the client's, and both find the entry.
func TestAuditRecordsBothIDsOfARequest(t *testing.T) {
	s, _ := openAudited(t)
	ctx := audit.WithActor(context.Background(), audit.Actor{User: "ann", RequestID: "chosen", GatewayID: "OWN"})
	_, err := s.CreateNode(ctx, graph.NewNode{Type: "Person"})
	require.NoError(t, err)
	for _, id := range []string{"chosen", "OWN"} {
		found := readEntries(t, s, audit.Query{RequestID: id}, 10)
		require.Len(t, found, 1, id)
		require.Equal(t, audit.Actor{User: "ann", RequestID: "chosen", GatewayID: "OWN"}, found[0].Actor)
	}
	require.Empty(t, readEntries(t, s, audit.Query{RequestID: "chosen OWN"}, 10))
}

func TestAuditIsFilteredAndPaged(t *testing.T) {
	s, db := openAudited(t)
	accounts := openAccounts(t, db)
	var all []audit.Entry
	for i := range 30 {
		all = append(all, audit.Entry{
			Actor:  audit.Actor{User: fmt.Sprint("user", i%3), UserID: fmt.Sprint("id", i%3), RequestID: fmt.Sprint("r", i)},
			Action: audit.Login, Kind: audit.Session, Outcome: audit.Refused, Code: "INVALID_CREDENTIALS", Count: int64(i + 1),
		})
	}
	require.NoError(t, accounts.Record(context.Background(), all)) // all in the same millisecond
	require.NoError(t, accounts.Record(context.Background(),
		[]audit.Entry{{Action: audit.Delete, Kind: audit.User, Outcome: audit.Done, Entity: "7", Name: "bob"}}))

	for name, c := range map[string]struct {
		q    audit.Query
		want int
	}{
		"all":           {audit.Query{}, 31},
		"a user":        {audit.Query{User: "user1"}, 10},
		"a user's id":   {audit.Query{User: "id2"}, 10},
		"a request":     {audit.Query{RequestID: "r7"}, 1},
		"an action":     {audit.Query{Action: audit.Delete}, 1},
		"a kind":        {audit.Query{Kind: audit.Session}, 30},
		"an outcome":    {audit.Query{Outcome: audit.Refused}, 30},
		"an entity":     {audit.Query{Entity: "7"}, 1},
		"a user's name": {audit.Query{Entity: "bob"}, 1},
		"nothing":       {audit.Query{User: "nobody"}, 0},
		"the future":    {audit.Query{Since: time.Now().Add(time.Hour)}, 0},
		"the past":      {audit.Query{Until: time.Now().Add(-time.Hour)}, 0},
		"now":           {audit.Query{Since: time.Now().Add(-time.Hour), Until: time.Now().Add(time.Hour)}, 31},
	} {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{1, 4, 100} {
				found := readEntries(t, s, c.q, size)
				require.Len(t, found, c.want, "pages of %d", size)
				seen := map[string]bool{}
				for _, e := range found {
					require.False(t, seen[e.Actor.RequestID], "twice")
					seen[e.Actor.RequestID] = true
				}
			}
		})
	}
}

// A page scans a limited number of entries; then it returns what it found and a cursor.
func TestAPageOfTheAuditIsBoundedWork(t *testing.T) {
	s, db := openAudited(t)
	db.Exec(t, "CREATE (:_GraphrestAudit {at: 1, action: 'login', kind: 'session', outcome: 'done', changes: 1, lines: ['\\tneedle']})", nil)
	db.Exec(t,
		"UNWIND range(2, 25000) AS i CREATE (:_GraphrestAudit {at: i, action: 'login', kind: 'session', outcome: 'done', changes: 1, "+
			"lines: ['\\thay']})",
		nil)
	first, err := neo4jstore.AuditOf(s).Entries(context.Background(), audit.Query{User: "needle", Limit: 10})
	require.NoError(t, err)
	require.Empty(t, first.Entries)
	require.NotNil(t, first.Next)
	second, err := neo4jstore.AuditOf(s).Entries(context.Background(), audit.Query{User: "needle", Limit: 10, After: first.Next})
	require.NoError(t, err)
	require.Len(t, second.Entries, 1)
	require.Nil(t, second.Next)
}

// Replicas that remove old entries concurrently do not interfere with each other, and keep the entries that are not old.
func TestOldEntriesAreRemovedByAnyReplica(t *testing.T) {
	testmark.Concurrent(t)
	s, db := openAudited(t)
	db.Exec(t, "UNWIND range(1, 12000) AS i CREATE (:_GraphrestAudit {at: timestamp() - 91 * 24 * 3600 * 1000 - i, lines: ['']})", nil)
	db.Exec(t, "UNWIND range(1, 10) AS i CREATE (:_GraphrestAudit {at: timestamp() - i * 24 * 3600 * 1000, lines: ['']})", nil)
	stores := []*neo4jstore.Store{s, openPrepared(t, db, nil), openPrepared(t, db, nil)}
	removed := make([]int64, len(stores))
	var group sync.WaitGroup
	for i, replica := range stores {
		group.Go(func() {
			var err error
			removed[i], err = neo4jstore.AuditOf(replica).Purge(context.Background())
			require.NoError(t, err)
		})
	}
	group.Wait()
	require.EqualValues(t, 12000, removed[0]+removed[1]+removed[2])
	require.EqualValues(t, 10, db.Query(t, "MATCH (e:_GraphrestAudit) RETURN count(e) AS n", nil)[0]["n"])
}
