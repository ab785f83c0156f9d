package neo4jstore_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/testmark"
)

// bookmarkAfter changes a bookmark to one that is reached after a number of further transactions. A bookmark is a PackStream list of the
// database's id and the transaction's id, and an empty list, in base64.
func bookmarkAfter(t *testing.T, b graph.Bookmarks, transactions int64) graph.Bookmarks {
	t.Helper()
	require.Len(t, b, 1)
	text, is := strings.CutPrefix(b[0], "FB:")
	require.True(t, is, b[0])
	raw, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	const head = 19 // the list, and sixteen bytes with their two bytes of length
	require.Equal(t, []byte{0x91, 0xcc, 16}, []byte{raw[0], raw[1], raw[2]})
	var id int64
	size := 1
	switch marker := raw[head]; marker {
	case 0xc8:
		id, size = int64(int8(raw[head+1])), 2
	case 0xc9:
		id, size = int64(int16(binary.BigEndian.Uint16(raw[head+1:]))), 3
	case 0xca:
		id, size = int64(int32(binary.BigEndian.Uint32(raw[head+1:]))), 5
	case 0xcb:
		id, size = int64(binary.BigEndian.Uint64(raw[head+1:])), 9
	default:
		id = int64(int8(marker))
	}
	made := append(append([]byte{}, raw[:head]...), 0xcb)
	made = binary.BigEndian.AppendUint64(made, uint64(id+transactions))
	return graph.Bookmarks{"FB:" + base64.StdEncoding.EncodeToString(append(made, raw[head+size:]...))}
}

// createWithBookmark creates a node and returns the bookmark of the write.
func createWithBookmark(t *testing.T, s *neo4jstore.Store) (graph.Node, graph.Bookmarks) {
	t.Helper()
	var m graph.BookmarkRecorder
	n, err := s.CreateNode(graph.WithBookmarkRecorder(context.Background(), &m), graph.NewNode{Type: "Person"})
	require.NoError(t, err)
	require.NotEmpty(t, m.Latest())
	return n.Entity, m.Latest()
}

func TestEveryWriteReturnsABookmark(t *testing.T) {
	testmark.Concurrent(t)
	s, _ := open(t, nil)
	a, b := createWithBookmark(t, s)
	seen := map[string]bool{b[0]: true}
	for name, write := range map[string]func(ctx context.Context) error{
		"update": func(ctx context.Context) error {
			_, err := s.UpdateNode(ctx, a.ID, graph.Change{Properties: graph.Properties{"n": int64(1)}})
			return err
		},
		"update under a condition": func(ctx context.Context) error {
			_, err := s.UpdateNode(ctx, a.ID, graph.Change{Properties: graph.Properties{"n": int64(2)}, If: graph.Precondition{Any: true}})
			return err
		},
		"create an edge": func(ctx context.Context) error {
			_, err := s.CreateEdge(ctx, graph.NewEdge{Type: "KNOWS", SourceID: a.ID, TargetID: a.ID})
			return err
		},
		"create under a key": func(ctx context.Context) error {
			_, err := s.CreateNode(ctx, graph.NewNode{Type: "Person", Key: &graph.IdempotencyKey{UserID: "1", Key: "k", Fingerprint: "f"}})
			return err
		},
	} {
		var m graph.BookmarkRecorder
		require.NoError(t, write(graph.WithBookmarkRecorder(context.Background(), &m)), name)
		require.Len(t, m.Latest(), 1, name)
		require.False(t, seen[m.Latest()[0]], "%s: a new bookmark", name)
		seen[m.Latest()[0]] = true
	}
	var m graph.BookmarkRecorder
	_, err := s.DeleteNode(graph.WithBookmarkRecorder(context.Background(), &m), a.ID, graph.Removal{})
	require.NoError(t, err)
	require.NotEmpty(t, m.Latest())
	_, err = s.Node(graph.WithBookmarks(context.Background(), m.Latest()), a.ID)
	requireFault(t, err, fault.NotFound)
}

// A read waits for the state of its bookmark, and no other read does.
func TestAReadWaitsForItsBookmarkAndOthersDoNot(t *testing.T) {
	testmark.Concurrent(t)
	s, _ := open(t, func(c *settings) { c.client.QueryTimeout = 30 * time.Second })
	n, _ := createWithBookmark(t, s)
	_, err := s.CreateEdge(context.Background(), graph.NewEdge{Type: "KNOWS", SourceID: n.ID, TargetID: n.ID})
	require.NoError(t, err)
	_, mark := createWithBookmark(t, s)
	after := graph.WithBookmarks(context.Background(), bookmarkAfter(t, mark, 50))
	waiting := make(chan error, 3)
	go func() {
		_, err := s.Node(after, n.ID)
		waiting <- err
	}()
	go func() {
		_, err := s.Nodes(after, graph.NodeQuery{Type: "Person", Paging: graph.Paging{Limit: 10}})
		waiting <- err
	}()
	go func() {
		_, err := s.Edge(after, "0198-no-such-edge")
		waiting <- err
	}()
	var group sync.WaitGroup
	for range 100 {
		group.Go(func() {
			_, err := s.Node(context.Background(), n.ID)
			require.NoError(t, err)
		})
	}
	group.Wait()
	require.Empty(t, waiting, "the bookmark's transaction does not exist yet")
	for i := range 60 { // one after another: a transaction each
		_, err := s.UpdateNode(context.Background(), n.ID, graph.Change{Properties: graph.Properties{"n": int64(i)}})
		require.NoError(t, err)
	}
	missing := 0
	for range 3 {
		if err := <-waiting; err != nil {
			requireFault(t, err, fault.NotFound)
			missing++
		}
	}
	require.Equal(t, 1, missing)
}

func TestAnUnreachableBookmarkEndsByTheDeadline(t *testing.T) {
	testmark.Concurrent(t)
	s, db := open(t, func(c *settings) { c.client.QueryTimeout = 2 * time.Second })
	n, mark := createWithBookmark(t, s)
	unreachable := graph.WithBookmarks(context.Background(), bookmarkAfter(t, mark, 1_000_000_000))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			_, err := s.Node(unreachable, n.ID)
			require.Contains(t, []fault.Code{fault.DatabaseTimeout, fault.DatabaseUnavailable}, fault.CodeOf(err), "%v", err)
			_, err = s.Nodes(unreachable, graph.NodeQuery{Type: "Person", Paging: graph.Paging{Limit: 10}})
			require.Contains(t, []fault.Code{fault.DatabaseTimeout, fault.DatabaseUnavailable}, fault.CodeOf(err), "%v", err)
		})
	}
	group.Wait()
	// A write of a node that is known sees all earlier writes, whatever its bookmark; one that has to read the names first, too.
	for _, s := range []*neo4jstore.Store{s, openOn(t, db, nil)} {
		_, err := s.Node(context.Background(), n.ID)
		require.NoError(t, err, "a client without a bookmark is served")
		_, err = s.UpdateNode(unreachable, n.ID, graph.Change{Properties: graph.Properties{"n": int64(1)}})
		require.NoError(t, err)
	}
}

// An invalid bookmark fails its own read, and no other read of the batch.
func TestAnInvalidBookmarkFailsOnlyItsOwnRead(t *testing.T) {
	testmark.Concurrent(t)
	s, _ := open(t, nil)
	n, mark := createWithBookmark(t, s)
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			if i%8 == 0 {
				_, err := s.Node(graph.WithBookmarks(context.Background(), graph.Bookmarks{"FB:garbage"}), n.ID)
				requireFault(t, err, fault.Validation, graph.BookmarkHeader)
				return
			}
			_, err := s.Node(graph.WithBookmarks(context.Background(), mark), n.ID)
			require.NoError(t, err)
		})
	}
	group.Wait()
	_, err := s.Nodes(graph.WithBookmarks(context.Background(), graph.Bookmarks{"garbage"}), graph.NodeQuery{Paging: graph.Paging{Limit: 1}})
	requireFault(t, err, fault.Validation, graph.BookmarkHeader)
}
