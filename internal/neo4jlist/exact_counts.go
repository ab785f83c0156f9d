package neo4jlist

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
)

// totalWriter writes the statement of an exact count with the names in use. It is empty if they show that there is nothing to count.
type totalWriter func(names *neo4jentity.Exclusion, parts internalParts) cypher.Text

// exactCounter counts the visible entities of a type, or of all, by statements whose text has the names in use.
type exactCounter struct {
	client     *bolt.Client
	exclusions *neo4jentity.ExclusionCache
	counts     *neo4jschema.Counts
}

// count counts with a statement whose text has names that were read in the last seconds. The same statement returns the names now in
// use; if the text would differ with these, the new text runs. typ is the counted type, or empty.
func (c *exactCounter) count(ctx context.Context, typ string, write totalWriter) (int64, error) {
	names, err := c.exclusions.Exclusion(ctx)
	if err != nil {
		return 0, err
	}
	sizes := c.counts.Known().Nodes
	text := write(names, internalPartsOf(names, sizes))
	if text == (cypher.Text{}) { // there is no statement to return the names
		if names, err = c.exclusions.ExclusionNow(ctx); err != nil {
			return 0, err
		}
		text = write(names, internalPartsOf(names, sizes))
	}
	total, err := c.readTotal(ctx, text, typ, true)
	if err != nil {
		return 0, err
	}
	if total.names != nil {
		names = total.names
	}
	if latest := write(names, internalPartsOf(names, sizes)); latest != text {
		total, err = c.readTotal(ctx, latest, typ, false)
	}
	if err == nil && total.atRecords > 0 {
		total, err = c.readTotal(ctx, write(names, internalPartsOf(names, nil)), typ, false)
	}
	return total.count, err
}

// countUnverified counts with the names that were read in the last seconds.
func (c *exactCounter) countUnverified(ctx context.Context, typ string, write totalWriter) (exactCount, error) {
	names, err := c.exclusions.Exclusion(ctx)
	if err != nil {
		return exactCount{}, err
	}
	return c.readTotal(ctx, write(names, internalPartsOf(names, c.counts.Known().Nodes)), typ, false)
}

// exactCount is the row of a statement that counts. Without a statement it is zero.
type exactCount struct {
	count     int64
	atRecords int64                  // the edges at internal nodes that count contains
	names     *neo4jentity.Exclusion // by the internal names in use and the counted label; nil unless they are verified
}

// readTotal runs a statement that counts. verify is whether it returns names in use.
func (c *exactCounter) readTotal(ctx context.Context, text cypher.Text, typ string, verify bool) (exactCount, error) {
	if text == (cypher.Text{}) {
		return exactCount{}, nil
	}
	rows, err := c.client.ReadRows(ctx, text, map[string]any{"type": typ, "verify": verify})
	if err != nil || len(rows) == 0 {
		return exactCount{}, err
	}
	row := rows[0]
	t := exactCount{count: bolt.Column[int64](row, "total")}
	if verify {
		var types []string
		if slices.Contains(row.Keys, "types") {
			types = bolt.TextColumn(row, "types")
		}
		t.names = neo4jentity.NewExclusion(bolt.TextColumn(row, "labels"), types)
	}
	if slices.Contains(row.Keys, "at_records") {
		t.atRecords = bolt.Column[int64](row, "at_records")
	}
	return t, nil
}
