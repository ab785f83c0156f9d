package neo4jschema_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/testmark"
)

// A user's new names are counted in the database: for all replicas together, and across a restart.
func TestNewNamesAreChargedToTheUsersBudget(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	const keys, types = 5, 2
	small := neo4jstore.Config{MaxNewKeys: keys, MaxNewTypes: types}
	replicas := []*neo4jstore.Store{openStore(t, db, small), openStore(t, db, small)}
	// Neo4j never frees a name: each run uses names that no earlier run used.
	run := fmt.Sprintf("%x", time.Now().UnixNano())
	ctx := context.Background()
	kept, err := replicas[0].CreateNode(ctx, graph.NewNode{Type: graph.TypeName("Kept" + run)})
	require.NoError(t, err, "without a budget")
	ann, bob := graph.WithNameBudget(ctx, "ann"), graph.WithNameBudget(ctx, "bob")
	add := func(ctx context.Context, s *neo4jstore.Store, names ...string) error {
		p := graph.Properties{}
		for _, name := range names {
			p[name+run] = true
		}
		_, err := s.UpdateNode(ctx, kept.Entity.ID, graph.Change{Properties: p})
		return err
	}

	var accepted atomic.Int64
	var all sync.WaitGroup
	for i := range 4 * keys {
		all.Go(func() {
			err := add(ann, replicas[i%2], fmt.Sprintf("raced%d_", i))
			if err == nil {
				accepted.Add(1)
			} else if fault.CodeOf(err) != fault.Validation {
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, keys, accepted.Load(), "both replicas charge one budget")

	restarted := openStore(t, db, small)
	err = add(ann, restarted, "more_")
	neo4jstoretest.RequireFault(t, err, fault.Validation, "properties.more_"+run)
	require.Regexp(t,
		`^is a new property key: the request adds 1, and you have added 5 of the 5 new property keys that a user may add on one day\. `+
			`The budget is renewed at \d{4}-\d\d-\d\dT00:00:00Z; use names that exist, or ask an administrator to add them$`,
		fault.As(err).Details[0].Message)
	neo4jstoretest.RequireFault(t, add(bob, restarted, "a_", "b_", "c_", "d_", "e_", "f_"), fault.Validation, "properties.a_"+run)
	require.NoError(t, add(bob, restarted, "a_", "b_", "c_", "d_", "e_"), "a rejected request is not charged, and each user has a budget")
	require.NoError(t, add(ann, restarted, "a_", "b_"), "known names are not charged")
	require.NoError(t, add(ctx, restarted, "own_"), "no user, no budget")

	edge := func(name string) error {
		_, err := restarted.CreateEdge(ann, graph.NewEdge{Type: graph.TypeName(name + run), SourceID: kept.Entity.ID, TargetID: kept.Entity.ID})
		return err
	}
	_, err = restarted.CreateNode(ann, graph.NewNode{Type: graph.TypeName("One" + run)})
	require.NoError(t, err)
	require.NoError(t, edge("TWO"))
	neo4jstoretest.RequireFault(t, edge("THREE"), fault.Validation, "type")
	require.NoError(t, edge("TWO"))
	err = restarted.Bulk.Import(graph.OnConflictError).Types(ann, []graph.TypeName{graph.TypeName("Label" + run)})
	neo4jstoretest.RequireFault(t, err, fault.Validation, "type")

	for _, use := range restarted.Names.LastUse() {
		require.Positive(t, use.Used, use.Kind)
		require.Greater(t, use.Limit, use.Used, use.Kind)
	}
	require.EqualValues(t, 2, db.Count(t, "MATCH (b:_GraphrestNameBudget) RETURN count(b)", nil))
}

// A spent budget costs no write for each further name, and delays no other request that adds names.
func TestASpentBudgetIsRejectedFromMemory(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	s := openStore(t, db, neo4jstore.Config{MaxNewKeys: 1, MaxNewTypes: 1})
	run := fmt.Sprintf("%x", time.Now().UnixNano())
	kept, err := s.CreateNode(t.Context(), graph.NewNode{Type: graph.TypeName("Spent" + run)})
	require.NoError(t, err)
	add := func(ctx context.Context, user, name string) error {
		_, err := s.UpdateNode(graph.WithNameBudget(ctx, user), kept.Entity.ID, graph.Change{Properties: graph.Properties{name + run: true}})
		return err
	}
	require.NoError(t, add(t.Context(), "ann", "one_"))
	rejected := add(t.Context(), "ann", "two_")
	neo4jstoretest.RequireFault(t, rejected, fault.Validation, "properties.two_"+run)
	db.Exec(t, "MATCH (b:_GraphrestNameBudget) DELETE b", nil)

	release := neo4jschema.LockNames(s.Names)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	repeated := add(ctx, "ann", "two_")
	release()
	require.Equal(t, fault.As(rejected).Details, fault.As(repeated).Details, "the same result while others add names")
	require.NoError(t, add(t.Context(), "ann", "one_"))
	neo4jschema.ExpireNames(s.Names)
	neo4jstoretest.RequireFault(t, add(t.Context(), "ann", "two_"), fault.Validation, "properties.two_"+run)
	require.Zero(t, db.Count(t, "MATCH (b:_GraphrestNameBudget) RETURN count(b)", nil), "nothing was written")
	require.NoError(t, add(t.Context(), "bob", "two_"))
	require.NoError(t, add(t.Context(), "ann", "two_"), "it is not a new name any more")
}

// A limit that was lowered below what was added today rejects only names of the same kind.
func TestALoweredKeyBudgetDoesNotLimitTypes(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	run := fmt.Sprintf("%x", time.Now().UnixNano())
	ann := graph.WithNameBudget(t.Context(), "ann")
	for _, limit := range []int{3, 1} {
		s := openStore(t, db, neo4jstore.Config{MaxNewKeys: limit})
		p := graph.Properties{}
		for i := range limit {
			p[fmt.Sprintf("key%d%d_%s", limit, i, run)] = true
		}
		_, err := s.CreateNode(ann, graph.NewNode{Type: graph.TypeName(fmt.Sprint("Type", limit, run))})
		require.NoError(t, err)
		_, err = s.CreateNode(ann, graph.NewNode{Type: graph.TypeName(fmt.Sprint("Type", limit, run)), Properties: p})
		if limit == 3 {
			require.NoError(t, err)
			continue
		}
		neo4jstoretest.RequireFault(t, err, fault.Validation, "properties.key10_"+run)
	}
}
