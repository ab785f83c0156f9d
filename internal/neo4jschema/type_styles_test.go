package neo4jschema_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/testmark"
)

// A style that one replica sets is in the schema of another within a second, and neither loses what the other has changed.
func TestStylesOfTypesOnTwoReplicas(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	here, there := openStore(t, db, neo4jstore.Config{}), openStore(t, db, neo4jstore.Config{})
	db.Exec(t, "CREATE (:Person)", nil)
	ctx := context.Background()
	styleThere := func() *graph.StyleOfType {
		s, err := there.Schema(ctx)
		require.NoError(t, err)
		require.Len(t, s.NodeTypes, 1)
		return s.NodeTypes[0].Style
	}
	require.Nil(t, styleThere(), "read before the change, so that it is kept in memory")
	color, size := "#112233", int64(56)
	_, err := here.SetTypeStyle(ctx, graph.NodeKind, "Person", graph.TypeStyleChange{Color: &color})
	require.NoError(t, err)
	set := time.Now()
	require.Eventually(t, func() bool {
		style := styleThere()
		return style != nil && style.Color == color
	}, 20*time.Second, 20*time.Millisecond)
	t.Logf("seen %v after the change", time.Since(set).Round(time.Millisecond))
	_, err = there.SetTypeStyle(ctx, graph.NodeKind, "Person", graph.TypeStyleChange{Size: &size})
	require.NoError(t, err)
	require.Equal(t, &graph.StyleOfType{Color: color, Size: size}, styleThere())
}

// Of removals at the same time one removes the style, and the others find none.
func TestAStyleIsRemovedOnce(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	s := openStore(t, db, neo4jstore.Config{})
	color := "#112233"
	_, err := s.SetTypeStyle(t.Context(), graph.NodeKind, "Person", graph.TypeStyleChange{Color: &color})
	require.NoError(t, err)
	var removed atomic.Int64
	var removing sync.WaitGroup
	for range 8 {
		removing.Go(func() {
			if err := s.RemoveTypeStyle(t.Context(), graph.NodeKind, "Person"); err == nil {
				removed.Add(1)
			} else {
				assert.Equal(t, fault.NotFound, fault.CodeOf(err))
			}
		})
	}
	removing.Wait()
	require.EqualValues(t, 1, removed.Load())
}
