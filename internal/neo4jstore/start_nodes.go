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

// speculativeStart returns the node that an id most likely names, without reading the database: the one in the id cache, or the one with
// this element id. An expansion can start there while the look-up runs, which saves a round trip. It returns nil if no node is known, and
// always for users who do not see everything: the time of the read would disclose something about a hidden node.
func (rs *entityResolver) speculativeStart(ctx context.Context, id string) *startNode {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return nil
	}
	if at, known := rs.finder.idCacheOf(nodes).get(id); known {
		return &startNode{elementID: at, id: id}
	}
	if isElementID(nodes, id) {
		return &startNode{elementID: id}
	}
	return nil
}

// isAt reports whether a read that started at the node from the id cache started at the node that was found.
func (a *startNode) isAt(found *startNode) bool { return a.elementID == found.elementID }

// lookUpStart looks up the node of an id beside a read that starts at the node from the id cache. wait returns the node, or NOT_FOUND.
func (rs *entityResolver) lookUpStart(ctx context.Context, id string) (wait func() (*startNode, error)) {
	var found *startNode
	var looking errgroup.Group
	looking.Go(func() (err error) {
		found, err = rs.findStartNode(ctx, id)
		return err
	})
	return func() (*startNode, error) {
		err := looking.Wait()
		return found, err
	}
}
