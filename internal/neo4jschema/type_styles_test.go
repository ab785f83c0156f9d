package neo4jschema_test

import (
	"context"
	"fmt"
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

// Types have different colors and shapes while there are some, also on another replica and after a restart; a type that comes later changes
// none, whatever its name.
func TestColorsOfTypesStay(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	ctx := context.Background()
	placesOn := func(s *neo4jstore.Store) map[string][2]int64 {
		schema, err := s.Schema(ctx)
		require.NoError(t, err)
		places := map[string][2]int64{}
		for _, n := range schema.NodeTypes {
			places[n.Type] = [2]int64{n.PalettePlace, n.ShapePlace}
		}
		return places
	}
	here := openStore(t, db, neo4jstore.Config{})
	for i := range graph.PalettePlaces - 1 {
		db.Exec(t, fmt.Sprintf("CREATE (:T%d)", i+10), nil)
	}
	before := placesOn(here)
	db.Exec(t, "CREATE (:A)", nil) // before all others in the alphabet
	there := openStore(t, db, neo4jstore.Config{})
	after := placesOn(there)
	require.Len(t, after, graph.PalettePlaces)
	taken, shapes := map[int64]bool{}, map[int64]int{}
	for name, places := range after {
		color, shape := places[0], places[1]
		require.True(t, color >= 1 && color <= graph.PalettePlaces && !taken[color], "%s has the color %d", name, color)
		require.True(t, shape >= 1 && shape <= graph.ShapePlaces, "%s has the shape %d", name, shape)
		taken[color] = true
		shapes[shape]++
	}
	for shape := range int64(graph.ShapePlaces) {
		require.GreaterOrEqual(t, shapes[shape+1], graph.PalettePlaces/graph.ShapePlaces, "no shape is given again before each is given")
	}
	require.Equal(t, after, placesOn(here))
	delete(after, "A")
	require.Equal(t, before, after)
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
