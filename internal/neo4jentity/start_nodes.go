package neo4jentity

import (
	"context"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/rules"
)

// StartNode is the node from which an expansion starts.
type StartNode struct {
	ElementID string
	ID        any // its own id, checked by the statement because element ids are reused; nil if it has none
}

// Params are the parameters by which a statement finds the node.
func (a StartNode) Params() map[string]any {
	return map[string]any{"node": a.ElementID, "node_id": a.ID}
}

// OwnID is the node's id as clients see it.
func (a StartNode) OwnID() string {
	if own, has := a.ID.(string); has {
		return own
	}
	return a.ElementID
}

// SpeculativeStart returns the node that an id most likely names, without reading the database: the one in the id cache, or the one with
// this element id. An expansion can start there while the look-up runs, which saves a round trip. It returns nil if no node is known, and
// always for users who do not see everything: the time of the read would disclose something about a hidden node.
func (rs *entityResolver) SpeculativeStart(ctx context.Context, id string) *StartNode {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return nil
	}
	if at, known := rs.finder.IDCacheOf(nodes).get(id); known {
		return &StartNode{ElementID: at, ID: id}
	}
	if IsElementID(nodes, id) {
		return &StartNode{ElementID: id}
	}
	return nil
}

// IsAt reports whether a read that started at the node from the id cache started at the node that was found.
func (a *StartNode) IsAt(found *StartNode) bool { return a.ElementID == found.ElementID }

// LookUpStart looks up the node of an id beside a read that starts at the node from the id cache. wait returns the node, or NOT_FOUND.
func (rs *entityResolver) LookUpStart(ctx context.Context, id string) (wait func() (*StartNode, error)) {
	var found *StartNode
	var looking errgroup.Group
	looking.Go(func() (err error) {
		found, err = rs.FindStartNode(ctx, id)
		return err
	})
	return func() (*StartNode, error) {
		err := looking.Wait()
		return found, err
	}
}
