package neo4jentity

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// managedNodes are managed types of nodes.
func managedNodes(labels ...string) *ManagedTypes {
	id := textsOf(defaultConfig()).IDName
	return &ManagedTypes{Nodes: NewTypeSet(nodes, labels, id), Edges: NewTypeSet(edges, nil, id)}
}

// TestFinderDropsAnElementThatHasAnotherID: an element id in the cache is only a guess.
func TestFinderDropsAnElementThatHasAnotherID(t *testing.T) {
	client, db := openClient(t)
	db.Exec(t, "CREATE CONSTRAINT IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE", nil)
	annID, err := graph.NewID("Person")
	require.NoError(t, err)
	db.Exec(t, "CREATE (:Person {uuid: $ann}), (:Person {uuid: 'ben'})", map[string]any{"ann": annID})
	finder := newFinder(t, client)

	_, ann, err := finder.Find(t.Context(), nodes, annID)
	require.NoError(t, err)
	_, ben, err := finder.Find(t.Context(), nodes, "ben")
	require.NoError(t, err)
	finder.IDCacheOf(nodes).Put(annID, ben.ElementID)

	_, found, err := finder.Find(t.Context(), nodes, annID)
	require.NoError(t, err)
	require.Equal(t, ann.ElementID, found.ElementID)
	at, cached := finder.IDCacheOf(nodes).get(annID)
	require.True(t, cached)
	require.Equal(t, ann.ElementID, at)
	_, cached = finder.IDCacheOf(nodes).get("ben")
	require.False(t, cached, "an id that another type may have at any time")
}

// TestLockerSkipsAnEntityThatHasAnotherID: an element id may belong to another entity by the time of the lock.
func TestLockerSkipsAnEntityThatHasAnotherID(t *testing.T) {
	client, db := openClient(t)
	db.Exec(t, "CREATE (:Person {uuid: 'ann'})", nil)
	element := db.Query(t, "MATCH (n:Person) RETURN elementId(n) AS element", nil)[0]["element"].(string)
	c := defaultConfig()
	writer := &JudgedWriter{rowRunner: &rowRunner{&changeRecorder{config: c}, client, textsOf(c)}}

	for own, expected := range map[string]bool{"ann": true, "ben": false} {
		require.NoError(t, client.RunTransaction(t.Context(), func(ctx context.Context, tx *bolt.Transaction) error {
			at := []Reference{{ElementID: element, Own: own}}
			return writer.Lock(ctx, tx, managedNodes("Person"), nodes, at, func(_ int, e *Record) error {
				require.Equal(t, expected, e != nil, own)
				return nil
			})
		}))
	}
}

// TestDecoderRemovesTheIDOfManagedTypes: of other types the id property is a property like any other, and the element id is the id.
func TestDecoderRemovesTheIDOfManagedTypes(t *testing.T) {
	values := &valueDecoder{config: defaultConfig()}
	decode := func(label string) (string, graph.Properties) {
		e := &Record{ElementID: "4:db:7", Names: []string{label}, Properties: map[string]any{"uuid": "ann", "age": int64(3)}}
		id, properties, err := values.ToDomain(t.Context(), managedNodes("Person"), nodes, e)
		require.NoError(t, err)
		return id, properties
	}
	id, properties := decode("Person")
	require.Equal(t, "ann", id)
	require.Equal(t, graph.Properties{"age": int64(3)}, properties)
	id, properties = decode("Robot")
	require.Equal(t, "4:db:7", id)
	require.Equal(t, graph.Properties{"uuid": "ann", "age": int64(3)}, properties)
}

// TestUpdatesRefuseChangesOfTheID: nor may a string in the id property become the id of an entity that had none.
func TestUpdatesRefuseChangesOfTheID(t *testing.T) {
	check := func(own string, managed bool, value graph.Value) fault.Code {
		change := graph.Change{Properties: graph.Properties{"uuid": value}}
		at := Reference{ElementID: "4:db:7", Own: own}
		locked := LockedEntity{Kind: nodes, At: at, IDProperty: "uuid", Managed: managed, Names: []string{"Person"}}
		return fault.CodeOf(locked.JudgeUpdate(t.Context(), &declared.Types{}, change))
	}
	require.Equal(t, fault.Validation, check("ann", true, "ben"))
	require.Equal(t, fault.Validation, check("ann", true, nil))
	require.Equal(t, fault.Validation, check("", true, "ben"))
	require.Empty(t, check("", true, int64(1)))
	require.Empty(t, check("", false, "ben"))
}
