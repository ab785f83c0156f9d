package neo4jstore

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
func managedNodes(labels ...string) *managedTypes {
	id := textsOf(defaultConfig()).idName
	return &managedTypes{nodes: newTypeSet(nodes, labels, id), edges: newTypeSet(edges, nil, id)}
}

// TestFinderDropsAnElementThatHasAnotherID: an element id in the cache is only a guess.
func TestFinderDropsAnElementThatHasAnotherID(t *testing.T) {
	client, db := openClient(t)
	db.Exec(t, "CREATE CONSTRAINT IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE", nil)
	db.Exec(t, "CREATE (:Person {uuid: 'ann'}), (:Person {uuid: 'ben'})", nil)
	finder := newFinder(t, client)

	_, ann, err := finder.find(t.Context(), nodes, "ann")
	require.NoError(t, err)
	_, ben, err := finder.find(t.Context(), nodes, "ben")
	require.NoError(t, err)
	finder.idCacheOf(nodes).put("ann", ben.elementID)

	_, found, err := finder.find(t.Context(), nodes, "ann")
	require.NoError(t, err)
	require.Equal(t, ann.elementID, found.elementID)
	at, known := finder.idCacheOf(nodes).get("ann")
	require.True(t, known)
	require.Equal(t, ann.elementID, at)
}

// TestLockerSkipsAnEntityThatHasAnotherID: an element id may belong to another entity by the time of the lock.
func TestLockerSkipsAnEntityThatHasAnotherID(t *testing.T) {
	client, db := openClient(t)
	db.Exec(t, "CREATE (:Person {uuid: 'ann'})", nil)
	element := db.Query(t, "MATCH (n:Person) RETURN elementId(n) AS element", nil)[0]["element"].(string)
	c := defaultConfig()
	writer := &judgedWriter{rowRunner: &rowRunner{&changeRecorder{config: c}, client, textsOf(c)}}

	for own, expected := range map[string]bool{"ann": true, "ben": false} {
		require.NoError(t, client.RunTransaction(t.Context(), func(ctx context.Context, tx *bolt.Transaction) error {
			at := []reference{{elementID: element, own: own}}
			return writer.lock(ctx, tx, managedNodes("Person"), nodes, at, func(_ int, e *entityRecord) error {
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
		e := &entityRecord{elementID: "4:db:7", names: []string{label}, properties: map[string]any{"uuid": "ann", "age": int64(3)}}
		id, properties, err := values.toDomain(t.Context(), managedNodes("Person"), nodes, e)
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
		at := reference{elementID: "4:db:7", own: own}
		locked := lockedEntity{k: nodes, at: at, idProperty: "uuid", managed: managed, names: []string{"Person"}}
		return fault.CodeOf(locked.judgeUpdate(t.Context(), &declared.Types{}, change))
	}
	require.Equal(t, fault.Validation, check("ann", true, "ben"))
	require.Equal(t, fault.Validation, check("ann", true, nil))
	require.Equal(t, fault.Validation, check("", true, "ben"))
	require.Empty(t, check("", true, int64(1)))
	require.Empty(t, check("", false, "ben"))
}
