package neo4jstore

import (
	"context"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/rules"
)

// startNode is the node from which an expansion starts.
type startNode struct {
	elementID string
	id        any // its own id, checked by the statement because element ids are reused; nil if it has none
}

func (a startNode) params() map[string]any {
	return map[string]any{"node": a.elementID, "node_id": a.id}
}

// ownID is the node's id as clients see it.
func (a startNode) ownID() string {
	if own, has := a.id.(string); has {
		return own
	}
	return a.elementID
}

// presumeStart is the node to which an id leads unless another one has it as its own id: found without reading. A read that starts there
// may run beside the look-up that decides, which saves a round trip. It is nil if nothing is presumed, and always for users who do not see
// everything: how long the read takes would say something about a node that they do not see.
func (s *Store) presumeStart(ctx context.Context, id string) *startNode {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return nil
	}
	if at, known := s.idCacheOf(nodes).get(id); known {
		return &startNode{elementID: at, id: id}
	}
	if isElementID(nodes, id) {
		return &startNode{elementID: id}
	}
	return nil
}

// isAt reports whether a read that started at a presumed node started at the node that was found.
func (a *startNode) isAt(found *startNode) bool { return a.elementID == found.elementID }

// lookUpStart looks up the node of an id beside a read that starts at the presumed node. wait returns the node, or NOT_FOUND.
func (s *Store) lookUpStart(ctx context.Context, id string) (wait func() (*startNode, error)) {
	var found *startNode
	var looking errgroup.Group
	looking.Go(func() (err error) {
		found, err = s.findStartNode(ctx, id)
		return err
	})
	return func() (*startNode, error) {
		err := looking.Wait()
		return found, err
	}
}
