package neo4jstore

import (
	"context"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/snapshot"
)

// Internal data is in the same database as the clients' data. It is hidden twice:
//
//  1. by the statement: a label test in the pattern, NOT n:{{internal}}, with the names of an exclusion, for which the planner can use
//     the look-up index (SubtractionNodeByLabelsScan); a relationship whose type the pattern names needs no test of its type;
//  2. by the reader of rows, internalRow: a name that came into use after the list of names was read is in no statement yet. A node's
//     labels are in its row; a row of a relationship has the column "internal", which tests the labels of both ends.
//
// A statement that counts returns no rows to check; it returns the names by which its caller verifies its text: see exactCounter.
//
// Testing every name costs a third of a page. A page that skips no rows is therefore read with a test of a label that no entity has, and
// again with all names if a row of it was internal: see withoutInternal.

// exclusion fills the slots internal and internal_types of statements: the gateway's own labels and relationship types, and those of other
// programs with the reserved prefix, in any letter case. The names are sorted, so that a statement's text, and with it its plan, changes
// only with the set of names.
type exclusion struct {
	labels, types           cypher.Fragment
	labelsInUse, typesInUse []string // the visible ones, in byte order
	internalLabels          []string // the internal ones in use, in byte order
	internalTypes           []string
}

func (e *exclusion) inUse(k kind) []string {
	if k == edges {
		return e.typesInUse
	}
	return e.labelsInUse
}

// inPage is the labels that the statement of a page excludes: every one, or the bare prefix, which no entity has: see withoutInternal.
func (e *exclusion) inPage(every bool) cypher.Fragment {
	if every {
		return e.labels
	}
	return cypher.Quote(graph.ReservedPrefix)
}

// exclusionAge is the maximum age of the names in a statement. A background task reads them every second.
const exclusionAge = 3 * catalogInterval

// exclusionCache has the names to exclude.
type exclusionCache struct {
	client     *bolt.Client
	exclusions *snapshot.Snapshot[exclusion]
}

func newExclusionCache(client *bolt.Client, spawn func(func())) *exclusionCache {
	c := &exclusionCache{client: client}
	c.exclusions = snapshot.New(c.readExclusion, bolt.SnapshotOptions(spawn))
	return c
}

// keepFresh reads the names again if they are older than maxAge, or idle if no request has needed them. A failure shows in the requests
// themselves.
func (c *exclusionCache) keepFresh(ctx context.Context, maxAge, idle time.Duration) {
	_, _ = c.exclusions.KeepFresh(ctx, maxAge, idle)
}

// exclusion is the names to exclude from rows.
func (c *exclusionCache) exclusion(ctx context.Context) (*exclusion, error) {
	return c.exclusions.Fresh(ctx, exclusionAge)
}

// exclusionOfPage is the names to exclude from a page. Skipping an offset counts rows in the database, like a count.
func (c *exclusionCache) exclusionOfPage(ctx context.Context, q graph.Paging) (*exclusion, error) {
	if q.Offset > 0 {
		return c.exclusionNow(ctx)
	}
	return c.exclusion(ctx)
}

// exclusionNow is the names to exclude where no row shows that one is missing, such as behind skipped rows.
func (c *exclusionCache) exclusionNow(ctx context.Context) (*exclusion, error) {
	return c.exclusions.Fresh(ctx, 0)
}

// typeInUse reports whether an entity has a type. Only names that were in use are put into statements: other names would fill the
// database's plan cache.
func (c *exclusionCache) typeInUse(ctx context.Context, k kind, name string) (bool, error) {
	e, err := c.exclusion(ctx)
	if err != nil {
		return false, err
	}
	if slices.Contains(e.inUse(k), name) {
		return true, nil
	}
	if e, err = c.exclusionNow(ctx); err != nil {
		return false, err
	}
	return slices.Contains(e.inUse(k), name), nil
}

func (c *exclusionCache) readExclusion(ctx context.Context) (*exclusion, error) {
	records, err := c.client.ReadRows(ctx, cypher.NamesInUse.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	var labels, types []string
	for _, record := range records {
		labels, types = bolt.TextColumn(record, "labels"), bolt.TextColumn(record, "types")
	}
	return newExclusion(labels, types), nil
}

// newExclusion is the exclusion by the labels and relationship types in use.
func newExclusion(labels, types []string) *exclusion {
	return &exclusion{
		labelsInUse: visibleNames(labels), typesInUse: visibleNames(types),
		internalLabels: internalNames(labels, nil), internalTypes: internalNames(types, nil),
		labels: cypher.QuoteAny(internalNames(labels, cypher.OwnLabels())),
		types:  cypher.QuoteAny(internalNames(types, cypher.OwnTypes())),
	}
}

// internalNames are the internal names among names, and the gateway's own, in byte order.
func internalNames(names, own []string) []string {
	internal := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !graph.Reserved(name) })
	internal = append(internal, own...)
	slices.Sort(internal)
	return slices.Compact(internal)
}

func visibleNames(names []string) []string {
	visible := slices.DeleteFunc(slices.Clone(names), graph.Reserved)
	slices.Sort(visible)
	return visible
}

// internalRow reports whether a row contains internal data: a node by its labels, an edge by its type and the column "internal".
func internalRow(row *bolt.Record, names []string) bool {
	return slices.ContainsFunc(names, graph.Reserved) || bolt.Column[bool](row, "internal")
}
