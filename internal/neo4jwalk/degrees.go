package neo4jwalk

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
)

// degreeCounter counts the edges of nodes.
type degreeCounter struct {
	client *bolt.Client
	texts  *neo4jentity.Texts
	reads  *neo4jentity.Reader
	equal  bolt.SharedReads[graph.Degree] // that requests for the same share
}

// Degree counts a node's edges: see graph.Explorer.
func (c *degreeCounter) Degree(ctx context.Context, id string) (graph.Degree, error) {
	return neo4jentity.ReadShared(ctx, &c.equal, id, ownDegree, func(ctx context.Context) (graph.Degree, error) { return c.degree(ctx, id) })
}

func ownDegree(d graph.Degree) graph.Degree {
	d.Counts = slices.Clone(d.Counts)
	return d
}

func (c *degreeCounter) degree(ctx context.Context, id string) (graph.Degree, error) {
	at, err := c.reads.FindStartNode(ctx, id)
	if err != nil {
		return graph.Degree{}, err
	}
	// A separate statement counts each direction, both concurrently: together they expand as many relationships as one statement for both
	// would.
	var out, in []*bolt.Record
	var counting errgroup.Group
	view := neo4jview.PredicateOf(ctx, graph.EdgeKind)
	count := func(direction cypher.Slots, other cypher.Entity, into *[]*bolt.Record) {
		direction["id"], direction["view"] = c.texts.IDName, view.TextWithEnds("", other) // the user sees the node itself
		counting.Go(func() (err error) {
			*into, err = c.client.ReadRows(ctx, cypher.Degree.Text(direction), view.With(at.Params()))
			return err
		})
	}
	count(cypher.EdgesOut(), cypher.TargetEntity, &out)
	count(cypher.EdgesIn(), cypher.SourceEntity, &in)
	if err := counting.Wait(); err != nil {
		return graph.Degree{}, err
	}
	d := graph.Degree{ID: at.OwnID(), Counts: []graph.DegreeCount{}}
	c.sumDegrees(&d, graph.Out, out)
	c.sumDegrees(&d, graph.In, in)
	slices.SortFunc(d.Counts, func(a, b graph.DegreeCount) int {
		return cmp.Or(cmp.Compare(b.Direction, a.Direction), cmp.Compare(a.EdgeType, b.EdgeType), cmp.Compare(a.NodeType, b.NodeType))
	})
	return d, nil
}

// sumDegrees sums the rows of one direction by the type of the other end, without those of internal data. Total counts a self-loop once.
func (c *degreeCounter) sumDegrees(d *graph.Degree, direction graph.Direction, rows []*bolt.Record) {
	type pair struct{ edge, node string }
	counts := map[pair]int64{}
	declared := c.reads.Types.CurrentTypes()
	for _, row := range rows {
		edgeType, labels := bolt.Column[string](row, "type"), bolt.TextColumn(row, "labels")
		if graph.Reserved(edgeType) || slices.ContainsFunc(labels, graph.Reserved) {
			continue
		}
		total := bolt.Column[int64](row, "total")
		counts[pair{edgeType, declared.NodeType(labels)}] += total
		d.Total += total
		if direction == graph.Out {
			d.Out += total
			d.Total -= bolt.Column[int64](row, "loops")
		} else {
			d.In += total
		}
	}
	for of, count := range counts {
		d.Counts = append(d.Counts, graph.DegreeCount{EdgeType: of.edge, Direction: direction, NodeType: of.node, Count: count})
	}
}
