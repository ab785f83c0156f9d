package neo4jchangeset

import (
	"context"
	"maps"
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
func (c *Store) readHolders(ctx context.Context, operations []graph.Operation, before *changeset.Before) error {
	if !slices.ContainsFunc(operations, func(o graph.Operation) bool { return len(o.Properties) > 0 }) {
		return nil
	}
	var err error
	if before.Unique, err = ReadUniqueKeys(ctx, c.Client); err != nil {
		return err
	}
	before.Holders = map[changeset.ClaimKey][]string{}
	var mu sync.Mutex // guards before.Holders
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(maxParallelLists)
	add := func(held map[changeset.ClaimKey][]string) {
		mu.Lock()
		defer mu.Unlock()
		maps.Copy(before.Holders, held)
	}
	holders := claimHolders{c.Nodes, c.Edges}
	for _, claims := range changeset.GroupClaims(changeset.Claims(operations, *before), claimsPerList) {
		reads.Go(func() error { return holders.find(ctx, claims, add) })
	}
	return reads.Wait()
}

// ReadUniqueKeys reads the unique keys of the graph.
func ReadUniqueKeys(ctx context.Context, client *bolt.Client) (keys []changeset.UniqueKey, err error) {
	constraints, err := neo4jschema.ReadConstraints(ctx, client)
	for _, one := range constraints {
		if neo4jschema.IsUnique(one) && len(one.Types) == 1 && !graph.Reserved(one.Types[0]) {
			keys = append(keys, changeset.UniqueKey{Kind: graph.Kind(one.Entity), Type: one.Types[0], Properties: one.Properties})
		}
	}
	return keys, err
}

// claimsPerList is how many claims of one unique key are looked up together: a proposal may make 20 claims with each of 1,000 operations.
const claimsPerList = 100

// claimHolders finds the entities that have claimed values.
type claimHolders struct {
	nodes graph.NodeStore
	edges graph.EdgeStore
}

// find adds the ids of the entities that have the values of claims of one unique key. If too many may have them, each claim is
// looked up alone.
func (h claimHolders) find(ctx context.Context, claims []changeset.Claim, add func(map[changeset.ClaimKey][]string)) error {
	limit := graph.MaxLimit
	if len(claims) == 1 {
		limit = maxHolders
	}
	held, all, err := h.list(ctx, claims, limit)
	switch {
	case err != nil:
		return err
	case all || len(claims) == 1:
		add(held)
		return nil
	}
	for i := range claims {
		if err := h.find(ctx, claims[i:i+1], add); err != nil {
			return err
		}
	}
	return nil
}

// list lists up to limit entities that may have the values of claims, and returns the ids of those that do; all is false if there
// are more.
func (h claimHolders) list(
	ctx context.Context, claims []changeset.Claim, limit int,
) (held map[changeset.ClaimKey][]string, all bool, err error) {
	held = map[changeset.ClaimKey][]string{}
	keep := func(id string, p graph.Properties) {
		for _, claim := range claims {
			if claim.HeldBy(p) {
				held[claim.Key()] = append(held[claim.Key()], id)
			}
		}
	}
	typ, where, paging := graph.TypeName(claims[0].Type), changeset.FilterOf(claims), graph.Paging{Limit: limit}
	if claims[0].Kind == graph.EdgeKind {
		page, err := h.edges.Edges(ctx, graph.EdgeQuery{Type: typ, Filter: where, Paging: paging})
		for _, e := range page.Items {
			keep(e.ID, e.Properties)
		}
		return held, page.Next == nil, err
	}
	page, err := h.nodes.Nodes(ctx, graph.NodeQuery{Type: typ, Filter: where, Paging: paging})
	for _, n := range page.Items {
		keep(n.ID, n.Properties)
	}
	return held, page.Next == nil, err
}
