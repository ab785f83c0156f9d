package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var concurrencyRules = []rule{
	{"concurrent creates of a new type all succeed, each once", concurrentCreates},
	{"concurrent updates of different properties of one node are all applied", concurrentUpdates},
	{"exactly one of concurrent deletes succeeds", concurrentDeletes},
	{"exactly one of concurrent writes with the same revision succeeds", concurrentConditions},
	{"concurrent creates with one idempotency key create one entity", concurrentKeys},
	{"one invalid request in a batch fails no other request", concurrentInvalidRequest},
	{"edges created while their node is deleted either exist with both ends or were rejected", concurrentEnds},
}

const callers = 24

// parallel runs the same call concurrently from many goroutines.
func parallel(call func(i int) error) []error {
	errs := make([]error, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() { errs[i] = call(i) })
	}
	all.Wait()
	return errs
}

func requireOneSuccess(t testing.TB, errs []error, otherwise fault.Code) {
	t.Helper()
	succeeded := 0
	for _, err := range errs {
		if err == nil {
			succeeded++
			continue
		}
		requireCode(t, otherwise, err)
	}
	require.Equal(t, 1, succeeded)
}

func concurrentCreates(t *testing.T, h Harness) {
	for _, err := range parallel(func(i int) error {
		made, err := h.Nodes.CreateNode(context.Background(),
			graph.NewNode{Type: graph.TypeName(fmt.Sprintf("New%d", i%3)), Properties: graph.Properties{"i": int64(i)}})
		if err == nil {
			_, err = h.Nodes.Node(context.Background(), made.Entity.ID)
		}
		return err
	}) {
		require.NoError(t, err)
	}
	require.Len(t, h.wholeNodeList(t, ""), callers)
}

func concurrentUpdates(t *testing.T, h Harness) {
	made := h.node(t, "Person", nil)
	for _, err := range parallel(func(i int) error {
		_, err := h.Nodes.UpdateNode(context.Background(), made.ID, graph.Change{Properties: graph.Properties{fmt.Sprintf("k%d", i): int64(i)}})
		return err
	}) {
		require.NoError(t, err)
	}
	read, err := h.Nodes.Node(context.Background(), made.ID)
	require.NoError(t, err)
	require.Len(t, read.Properties, callers)
}

func concurrentDeletes(t *testing.T, h Harness) {
	made := h.node(t, "Person", nil)
	edge := h.edge(t, "KNOWS", made.ID, made.ID, nil)
	requireOneSuccess(t, parallel(func(int) error {
		_, err := h.Edges.DeleteEdge(context.Background(), edge.ID, graph.Removal{})
		return err
	}), fault.NotFound)
	requireOneSuccess(t, parallel(func(int) error {
		_, err := h.Nodes.DeleteNode(context.Background(), made.ID, graph.Removal{})
		return err
	}), fault.NotFound)
}

func concurrentConditions(t *testing.T, h Harness) {
	made := h.node(t, "Person", graph.Properties{"n": int64(0)})
	only := graph.Precondition{Revisions: []graph.Revision{made.Revision()}}
	requireOneSuccess(t, parallel(func(i int) error {
		_, err := h.Nodes.UpdateNode(context.Background(), made.ID, graph.Change{Properties: graph.Properties{"n": int64(i + 1)}, If: only})
		return err
	}), fault.PreconditionFailed)
}

func concurrentKeys(t *testing.T, h Harness) {
	h.node(t, "Person", nil)
	ids := make([]string, callers)
	for i, err := range parallel(func(i int) error {
		made, err := h.Nodes.CreateNode(context.Background(), graph.NewNode{
			Type: "Person", Properties: graph.Properties{"keyed": true}, Key: &graph.IdempotencyKey{UserID: "u", Key: "k", Fingerprint: "f"},
		})
		ids[i] = made.Entity.ID
		return err
	}) {
		require.NoError(t, err, "caller %d", i)
	}
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	require.EqualValues(t, 1, h.one(t, "MATCH (n:Person {keyed: true}) RETURN count(n)", nil))
}

func concurrentInvalidRequest(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT account_mail FOR (a:Account) REQUIRE a.mail IS UNIQUE", nil)
	h.node(t, "Account", graph.Properties{"mail": "taken"})
	for i, err := range parallel(func(i int) error {
		mail := fmt.Sprintf("m%d", i)
		if i%4 == 0 {
			mail = "taken"
		}
		_, err := h.Nodes.CreateNode(context.Background(), graph.NewNode{Type: "Account", Properties: graph.Properties{"mail": mail}})
		return err
	}) {
		if i%4 == 0 {
			requireCode(t, fault.Conflict, err)
		} else {
			require.NoError(t, err, "caller %d", i)
		}
	}
	require.EqualValues(t, 1+callers-callers/4, h.one(t, "MATCH (n:Account) RETURN count(n)", nil))
}

func concurrentEnds(t *testing.T, h Harness) {
	a, b := h.node(t, "Person", nil), h.node(t, "Person", nil)
	h.edge(t, "KNOWS", a.ID, a.ID, nil)
	force := true
	for i, err := range parallel(func(i int) error {
		if i == callers/2 {
			_, err := h.Nodes.DeleteNode(context.Background(), b.ID, graph.Removal{Detach: &force})
			return err
		}
		_, err := h.Edges.CreateEdge(context.Background(), graph.NewEdge{Type: "KNOWS", SourceID: a.ID, TargetID: b.ID})
		return err
	}) {
		if i == callers/2 {
			require.NoError(t, err)
		} else if err != nil {
			requireInvalid(t, err, "target_id")
		}
	}
	require.EqualValues(t, 1, h.one(t, "MATCH (:Person)-[r:KNOWS]->() RETURN count(r)", nil))
}
