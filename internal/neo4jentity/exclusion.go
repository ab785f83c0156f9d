package neo4jentity

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
//  2. by the reader of rows, InternalRow: a name that came into use after the list of names was read is in no statement yet. A node's
//     labels are in its row; a row of a relationship has the column "internal", which tests the labels of both ends.
//
// A statement that counts returns no rows to check; it returns the names by which its caller verifies its text: see exactCounter.
//
// Testing every name costs a third of a page. A page that skips no rows is therefore read with a test of a label that no entity has, and
// again with all names if a row of it was internal: see withoutInternal.

// Exclusion fills the slots internal and internal_types of statements: the gateway's own labels and relationship types, and those of other
// programs with the reserved prefix, in any letter case. The names are sorted, so that a statement's text, and with it its plan, changes
// only with the set of names.
type Exclusion struct {
	Labels, types           cypher.Fragment
	LabelsInUse, TypesInUse []string // the visible ones, in byte order
	InternalLabels          []string // the internal ones in use, in byte order
	InternalTypes           []string
}

func (e *Exclusion) inUse(k kind) []string {
	if k == edges {
		return e.TypesInUse
	}
	return e.LabelsInUse
}

// InPage is the labels that the statement of a page excludes: every one, or the bare prefix, which no entity has: see withoutInternal.
func (e *Exclusion) InPage(every bool) cypher.Fragment {
	if every {
		return e.Labels
	}
	return cypher.Quote(graph.ReservedPrefix)
}

// exclusionAge is the maximum age of the names in a statement. A background task reads them every second.
const exclusionAge = 3 * CatalogInterval

// ExclusionCache has the names to exclude.
type ExclusionCache struct {
	client     *bolt.Client
	Exclusions *snapshot.Snapshot[Exclusion]
}

func newExclusionCache(client *bolt.Client, spawn func(func())) *ExclusionCache {
	c := &ExclusionCache{client: client}
	c.Exclusions = snapshot.New(c.readExclusion, bolt.SnapshotOptions(spawn))
	return c
}

// KeepFresh reads the names again if they are older than maxAge, or idle if no request has needed them. A failure shows in the requests
// themselves.
func (c *ExclusionCache) KeepFresh(ctx context.Context, maxAge, idle time.Duration) {
	_, _ = c.Exclusions.KeepFresh(ctx, maxAge, idle)
}

// Exclusion is the names to exclude from rows.
func (c *ExclusionCache) Exclusion(ctx context.Context) (*Exclusion, error) {
	return c.Exclusions.Fresh(ctx, exclusionAge)
}

// ExclusionOfPage is the names to exclude from a page. Skipping an offset counts rows in the database, like a count.
func (c *ExclusionCache) ExclusionOfPage(ctx context.Context, q graph.Paging) (*Exclusion, error) {
	if q.Offset > 0 {
		return c.ExclusionNow(ctx)
	}
	return c.Exclusion(ctx)
}

// ExclusionNow is the names to exclude where no row shows that one is missing, such as behind skipped rows.
func (c *ExclusionCache) ExclusionNow(ctx context.Context) (*Exclusion, error) {
	return c.Exclusions.Fresh(ctx, 0)
}

// TypeInUse reports whether an entity has a type. Only names that were in use are put into statements: other names would fill the
// database's plan cache.
func (c *ExclusionCache) TypeInUse(ctx context.Context, k kind, name string) (bool, error) {
	e, err := c.Exclusion(ctx)
	if err != nil {
		return false, err
	}
	if slices.Contains(e.inUse(k), name) {
		return true, nil
	}
	if e, err = c.ExclusionNow(ctx); err != nil {
		return false, err
	}
	return slices.Contains(e.inUse(k), name), nil
}

func (c *ExclusionCache) readExclusion(ctx context.Context) (*Exclusion, error) {
	records, err := c.client.ReadRows(ctx, cypher.NamesInUse.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	var labels, types []string
	for _, record := range records {
		labels, types = bolt.TextColumn(record, "labels"), bolt.TextColumn(record, "types")
	}
	return NewExclusion(labels, types), nil
}

// NewExclusion is the exclusion by the labels and relationship types in use.
func NewExclusion(labels, types []string) *Exclusion {
	return &Exclusion{
		LabelsInUse: visibleNames(labels), TypesInUse: visibleNames(types),
		InternalLabels: internalNames(labels, nil), InternalTypes: internalNames(types, nil),
		Labels: cypher.QuoteAny(internalNames(labels, cypher.OwnLabels())),
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

// InternalRow reports whether a row contains internal data: a node by its labels, an edge by its type and the column "internal".
func InternalRow(row *bolt.Record, names []string) bool {
	return slices.ContainsFunc(names, graph.Reserved) || bolt.Column[bool](row, "internal")
}
