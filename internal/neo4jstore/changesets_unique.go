package neo4jstore

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
)

// maxHolders is how many entities are read that may have values which an operation claims. One has them, but a filter also selects values
// that only compare as equal.
const maxHolders = 10

// readHolders reads the unique keys of the graph, and which entities that the reader sees have what operations claim of them.
func (c *ChangeSets) readHolders(ctx context.Context, operations []graph.Operation, before *changeset.Before) error {
	if !slices.ContainsFunc(operations, func(o graph.Operation) bool { return len(o.Properties) > 0 }) {
		return nil
	}
	var err error
	if before.Unique, err = readUniqueKeys(ctx, c.client); err != nil {
		return err
	}
	before.Holders = map[changeset.ClaimKey][]string{}
	var mu sync.Mutex // guards before.Holders
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(maxParallelLists)
	for _, claim := range changeset.Claims(operations, *before) {
		reads.Go(func() error {
			holders, err := c.findHolders(ctx, claim)
			mu.Lock()
			defer mu.Unlock()
			before.Holders[claim.Key()] = holders
			return err
		})
	}
	return reads.Wait()
}

// readUniqueKeys reads the unique keys of the graph.
func readUniqueKeys(ctx context.Context, client *bolt.Client) (keys []changeset.UniqueKey, err error) {
	constraints, err := neo4jschema.ReadConstraints(ctx, client)
	for _, one := range constraints {
		if neo4jschema.IsUnique(one) && len(one.Types) == 1 && !graph.Reserved(one.Types[0]) {
			keys = append(keys, changeset.UniqueKey{Kind: graph.Kind(one.Entity), Type: one.Types[0], Properties: one.Properties})
		}
	}
	return keys, err
}

// findHolders are the ids of the entities that have the values of a claim.
func (c *ChangeSets) findHolders(ctx context.Context, claim changeset.Claim) (ids []string, err error) {
	paging := graph.Paging{Limit: maxHolders}
	if claim.Kind == graph.EdgeKind {
		page, err := c.edges.Edges(ctx, graph.EdgeQuery{Type: graph.TypeName(claim.Type), Filter: claim.Filter(), Paging: paging})
		for _, e := range page.Items {
			if claim.HeldBy(e.Properties) {
				ids = append(ids, e.ID)
			}
		}
		return ids, err
	}
	page, err := c.nodes.Nodes(ctx, graph.NodeQuery{Type: graph.TypeName(claim.Type), Filter: claim.Filter(), Paging: paging})
	for _, n := range page.Items {
		if claim.HeldBy(n.Properties) {
			ids = append(ids, n.ID)
		}
	}
	return ids, err
}
