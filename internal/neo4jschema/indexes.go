package neo4jschema

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/snapshot"
)

// indexWait bounds how long a create waits for its index to be online.
const indexWait = 500 * time.Millisecond

const (
	indexCreated = "The index was created"
	indexRemoved = "The index was removed"
)

// IndexStore stores indexes on properties, counts the lists that lack one, and knows which properties are indexed. It is a
// graph.IndexStore and safe for concurrent use.
type IndexStore struct {
	client     *bolt.Client
	audit      *neo4jaudit.Store
	names      *Names
	idProperty string
	log        *slog.Logger
	keys       *snapshot.Snapshot[indexedKeys]
	slowLists  listCosts
}

var _ graph.IndexStore = (*IndexStore)(nil)

// propertyIndex is an index and its name in the database.
type propertyIndex struct {
	graph.PropertyIndex
	stored string
}

func (i propertyIndex) Names() (name, stored string, isManaged bool) {
	return i.Name, i.stored, i.Managed
}

// Indexes lists the indexes: see graph.IndexStore.
func (s *IndexStore) Indexes(ctx context.Context) ([]graph.PropertyIndex, error) {
	found, err := s.visiblePropertyIndexes(ctx)
	out := make([]graph.PropertyIndex, len(found))
	for i := range found {
		out[i] = found[i].PropertyIndex
	}
	return out, err
}

// propertyIndexes reads all indexes by name, including internal ones.
func (s *IndexStore) propertyIndexes(ctx context.Context) ([]propertyIndex, error) {
	rows, err := s.client.ReadRows(ctx, cypher.SchemaIndexes.Text(nil), nil)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	found := make([]propertyIndex, 0, len(rows))
	for _, row := range rows {
		stored := bolt.Column[string](row, "name")
		i := propertyIndex{stored: stored, PropertyIndex: graph.PropertyIndex{
			Kind:       graph.IndexKind(strings.ToLower(bolt.Column[string](row, "kind"))),
			Entity:     graph.Kind(EntityName(bolt.Column[string](row, "entity"))),
			Types:      bolt.TextColumn(row, "types"),
			Properties: bolt.TextColumn(row, "properties"), State: IndexState(bolt.Column[string](row, "state")),
			Progress: bolt.Column[float64](row, "progress"), Constraint: bolt.Column[string](row, "constraint"),
			Use: graph.IndexUse{
				Reads: bolt.Column[int64](row, "reads"), LastRead: bolt.Column[time.Time](row, "last_read"),
				Since: bolt.Column[time.Time](row, "reads_since"),
			},
		}}
		i.Name = strings.TrimPrefix(stored, IndexPrefix)
		i.Managed = IsManagedIndexName(stored) && i.Constraint == ""
		if !i.Managed && i.Kind == "fulltext" {
			i.Name, _ = SearchIndexName(stored)
		}
		found = append(found, i)
	}
	SortIndexes(found)
	return found, nil
}

// visiblePropertyIndexes excludes indexes that are internal by their name or by any of their types.
func (s *IndexStore) visiblePropertyIndexes(ctx context.Context) ([]propertyIndex, error) {
	all, err := s.propertyIndexes(ctx)
	return slices.DeleteFunc(all, func(i propertyIndex) bool {
		return graph.Reserved(i.Name) || slices.ContainsFunc(i.Types, graph.Reserved)
	}), err
}

// Index reads one index: see graph.IndexStore.
func (s *IndexStore) Index(ctx context.Context, name string) (graph.PropertyIndex, error) {
	all, err := s.visiblePropertyIndexes(ctx)
	if err != nil {
		return graph.PropertyIndex{}, err
	}
	i := IndexNamed(all, name)
	if i == nil {
		return graph.PropertyIndex{}, noSuchIndex()
	}
	return i.PropertyIndex, nil
}

func noSuchIndex() error { return fault.New(fault.NotFound, "There is no such index") }

// CreateIndex creates an index: see graph.IndexStore.
func (s *IndexStore) CreateIndex(ctx context.Context, n graph.NewIndex) (graph.PropertyIndex, error) {
	all, err := s.visiblePropertyIndexes(ctx)
	if err != nil {
		return graph.PropertyIndex{}, err
	}
	if existing := IndexNamed(all, n.Name); existing.equals(n) {
		return s.existingIndex(ctx, existing)
	} else if existing != nil {
		return graph.PropertyIndex{}, indexNameTaken(nil)
	}
	if slices.Contains(n.Properties, s.idProperty) {
		return graph.PropertyIndex{}, fault.Invalid("properties", "must not name the property of the ids, which is indexed already")
	}
	if err := s.names.ReserveIndex(ctx, n.Entity, []string{string(n.Type)}, n.Properties); err != nil {
		return graph.PropertyIndex{}, err
	}
	if _, err = s.client.Write(ctx, createIndexText(n), nil); err != nil {
		existing, failure := s.indexAfterFailure(ctx, n, err)
		if failure != nil {
			return graph.PropertyIndex{}, failure
		}
		if !bolt.IsOutcomeUnknown(err) {
			return existing.PropertyIndex, nil // another client created it concurrently
		}
	}
	s.keys.Expire()
	if err := s.audit.RecordWithPending(ctx, neo4jaudit.NewEntry(ctx, audit.Create, audit.Index, n.Name, n.Name), indexCreated); err != nil {
		return graph.PropertyIndex{}, err
	}
	return s.awaitIndex(ctx, n.Name)
}

// existingIndex answers a repeated create, and writes its entry of the audit if it is pending.
func (s *IndexStore) existingIndex(ctx context.Context, i *propertyIndex) (graph.PropertyIndex, error) {
	if s.audit.IsPending(audit.Create, audit.Index, i.Name) {
		return i.PropertyIndex, s.audit.FlushPending(ctx, indexCreated)
	}
	return i.PropertyIndex, nil
}

// equals reports whether an index is the requested one.
func (i *propertyIndex) equals(n graph.NewIndex) bool {
	return i != nil && i.Managed && i.Name == n.Name && i.Matches(n)
}

// kindFragments are the kinds of graph.IndexKinds in Cypher.
var kindFragments = map[graph.IndexKind]cypher.Fragment{
	graph.RangeIndex: cypher.RangeIndex, graph.TextIndex: cypher.TextIndex, graph.PointIndex: cypher.PointIndex,
}

func createIndexText(n graph.NewIndex) cypher.Text {
	kind, known := kindFragments[n.Kind]
	if !known {
		panic(fmt.Sprintf("neo4jschema: no index of the kind %q can be created", n.Kind))
	}
	statements := statementsOf[n.Entity]
	return statements.createIndex.Text(cypher.Slots{
		"kind": kind, "name": cypher.Quote(IndexPrefix + n.Name), "type": cypher.Quote(string(n.Type)),
		"properties": cypher.Keys(statements.variable, n.Properties),
	})
}

// indexAfterFailure finds the index that a failed create requested, if it exists nevertheless: the reply was lost, or another client
// created it. Otherwise it returns the fault of the request.
func (s *IndexStore) indexAfterFailure(ctx context.Context, n graph.NewIndex, failure error) (*propertyIndex, error) {
	exists := strings.HasSuffix(bolt.Code(failure), "AlreadyExists")
	if !exists && !bolt.IsOutcomeUnknown(failure) {
		return nil, bolt.Translate(failure)
	}
	all, err := s.propertyIndexes(ctx)
	if err != nil {
		return nil, bolt.Translate(failure)
	}
	if i := IndexNamed(all, n.Name); i.equals(n) {
		return i, nil
	}
	if !exists {
		return nil, bolt.Translate(failure)
	}
	same := slices.IndexFunc(all, func(i propertyIndex) bool { return i.Matches(n) })
	if same < 0 {
		return nil, indexNameTaken(failure)
	}
	return nil, sameIndex(failure, all[same])
}

func indexNameTaken(cause error) error {
	return fault.Wrap(cause, fault.Conflict, "The name is taken",
		fault.Detail{Field: "name", Message: "is the name of another index or constraint; choose another name, or delete that one first"})
}

// sameIndex is the fault of an index on types and properties that have one already.
func sameIndex(cause error, i propertyIndex) error {
	of := "by the index " + i.Name
	if graph.Reserved(i.Name) {
		of = "by a unique key of the declared type"
	}
	return fault.Wrap(cause, fault.Conflict, "There is an index of this kind on the same type and properties; none is needed",
		fault.Detail{Field: "properties", Message: "are indexed already " + of})
}

// awaitIndex reads a new index until it is online, for at most indexWait.
func (s *IndexStore) awaitIndex(ctx context.Context, name string) (graph.PropertyIndex, error) {
	until := time.Now().Add(indexWait)
	for pause := 10 * time.Millisecond; ; pause *= 2 {
		i, err := s.Index(ctx, name)
		if err != nil || i.State != graph.SearchBuilding || time.Now().Add(pause).After(until) {
			return i, err
		}
		select {
		case <-ctx.Done():
			return i, nil
		case <-time.After(pause):
		}
	}
}

// DeleteIndex drops an index: see graph.IndexStore.
func (s *IndexStore) DeleteIndex(ctx context.Context, name string) error {
	all, err := s.visiblePropertyIndexes(ctx)
	if err != nil {
		return err
	}
	i := IndexNamed(all, name)
	switch {
	case i == nil && s.audit.IsPending(audit.Delete, audit.Index, name):
		return s.audit.FlushPending(ctx, indexRemoved) // it was deleted before, but its entry of the audit was not written
	case i == nil:
		return noSuchIndex()
	case !i.Managed:
		return notManagedError(i)
	}
	if _, err = s.client.Write(ctx, cypher.DropIndex.Text(cypher.Slots{"name": cypher.Quote(i.stored)}), nil); err != nil {
		if bolt.IsNoSuchIndex(err) {
			return noSuchIndex() // another client was faster
		}
		if !bolt.IsOutcomeUnknown(err) {
			return bolt.Translate(err)
		}
		remaining, lookErr := s.propertyIndexes(ctx)
		if lookErr != nil || slices.ContainsFunc(remaining, func(one propertyIndex) bool { return one.stored == i.stored }) {
			return bolt.Translate(err)
		}
	}
	s.keys.Expire()
	return s.audit.RecordWithPending(ctx, neo4jaudit.NewEntry(ctx, audit.Delete, audit.Index, name, name), indexRemoved)
}

// CreatedInCypher is the fault of a delete of an index that the service did not create.
func CreatedInCypher() error {
	return fault.New(fault.Conflict, "This index was created in Cypher, not by this service, and has to be dropped there")
}

// notManagedError says why an index is not dropped here, and how to drop it.
func notManagedError(i *propertyIndex) error {
	_, search := SearchIndexName(i.stored)
	switch {
	case i.Constraint != "":
		return fault.New(fault.Conflict, "This index belongs to the constraint "+i.Constraint+"; drop the constraint in Cypher to remove both")
	case search && i.Kind == "fulltext":
		return fault.New(fault.Conflict, "This is a search index, which is deleted by DELETE /api/admin/search-indexes/"+i.Name)
	default:
		return CreatedInCypher()
	}
}
