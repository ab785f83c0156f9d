package neo4jsearch

import (
	"context"
	"maps"
	"slices"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jschema"
)

// searchIndex is a full-text index and its name in the database.
type searchIndex struct {
	graph.SearchIndex
	stored    string
	stopWords []string // that its analyzer leaves out, in lower case
}

func (i searchIndex) Names() (name, stored string, isManaged bool) {
	return i.Name, i.stored, i.Managed
}

// SearchIndexes lists the full-text indexes: see graph.Searcher.
func (s *Searcher) SearchIndexes(ctx context.Context) ([]graph.SearchIndex, error) {
	found, err := s.searchIndexes(ctx)
	out := make([]graph.SearchIndex, len(found))
	for i := range found {
		out[i] = found[i].SearchIndex
	}
	return out, err
}

// searchIndexes reads the visible indexes, by name. An index on an internal type, even among others, is not visible.
func (s *Searcher) searchIndexes(ctx context.Context) ([]searchIndex, error) {
	rows, err := s.client.ReadRows(ctx, cypher.SearchIndexes.Text(nil), nil)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	stopWords, err := s.stopWords(ctx)
	if err != nil {
		return nil, err
	}
	var found []searchIndex
	for _, row := range rows {
		stored := bolt.Column[string](row, "name")
		i := searchIndex{stored: stored, SearchIndex: graph.SearchIndex{
			Kind: graph.Kind(neo4jschema.EntityName(bolt.Column[string](row, "entity"))), Types: bolt.TextColumn(row, "types"),
			Properties: bolt.TextColumn(row, "properties"),
			Analyzer:   bolt.Column[string](row, "analyzer"), State: neo4jschema.IndexState(bolt.Column[string](row, "state")),
			Progress: bolt.Column[float64](row, "progress"),
		}}
		i.stopWords = stopWords[i.Analyzer]
		i.Name, i.Managed = neo4jschema.SearchIndexName(stored)
		if (!i.Managed && graph.Reserved(stored)) || slices.ContainsFunc(i.Types, graph.Reserved) {
			continue
		}
		found = append(found, i)
	}
	neo4jschema.SortIndexes(found)
	return found, nil
}

// SearchIndex reads one index: see graph.Searcher.
func (s *Searcher) SearchIndex(ctx context.Context, name string) (graph.SearchIndex, error) {
	all, err := s.searchIndexes(ctx)
	if err != nil {
		return graph.SearchIndex{}, err
	}
	i := neo4jschema.IndexNamed(all, name)
	if i == nil {
		return graph.SearchIndex{}, noSearchIndex()
	}
	return i.SearchIndex, nil
}

func noSearchIndex() error { return fault.New(fault.NotFound, "There is no such search index") }

// CreateSearchIndex creates an index: see graph.Searcher.
func (s *Searcher) CreateSearchIndex(ctx context.Context, n graph.NewSearchIndex) (graph.SearchIndex, error) {
	all, err := s.searchIndexes(ctx)
	if err != nil {
		return graph.SearchIndex{}, err
	}
	if i := neo4jschema.IndexNamed(all, n.Name); i.matches(n) && s.audit.IsPending(audit.Create, audit.SearchIndex, n.Name) {
		return i.SearchIndex, s.audit.FlushPending(ctx, searchIndexCreated) // it was created before, but its entry of the audit was not written
	}
	if err := s.checkNewSearchIndex(ctx, n, all); err != nil {
		return graph.SearchIndex{}, err
	}
	types := typeNames(n)
	if err := s.names.ReserveIndex(ctx, n.Kind, types, n.Properties); err != nil {
		return graph.SearchIndex{}, err
	}
	options := map[string]any{}
	if n.Analyzer != "" {
		options["indexConfig"] = map[string]any{"fulltext.analyzer": n.Analyzer}
	}
	statements := statementsOf[n.Kind]
	text := statements.createIndex.Text(cypher.Slots{
		"name": cypher.Quote(neo4jschema.SearchIndexPrefix + n.Name), "types": cypher.QuoteAny(types),
		"properties": cypher.Keys(statements.variable, n.Properties),
	})
	isCreated := func(all []searchIndex) bool { return neo4jschema.IndexNamed(all, n.Name).matches(n) }
	if err := s.changeSearchIndex(ctx, text, map[string]any{"options": options}, isCreated); err != nil {
		return graph.SearchIndex{}, searchIndexFault(err)
	}
	if err := s.audit.RecordWithPending(ctx, neo4jaudit.NewEntry(ctx, audit.Create, audit.SearchIndex, n.Name, n.Name),
		searchIndexCreated); err != nil {
		return graph.SearchIndex{}, err
	}
	return s.SearchIndex(ctx, n.Name)
}

const (
	searchIndexCreated = "The search index was created"
	searchIndexRemoved = "The search index was removed"
)

// changeSearchIndex runs a statement. If its reply is lost, done checks whether it was carried out.
func (s *Searcher) changeSearchIndex(ctx context.Context, text cypher.Text, params map[string]any, done func([]searchIndex) bool) error {
	_, err := s.client.Write(ctx, text, params)
	if bolt.IsOutcomeUnknown(err) {
		if all, lookErr := s.searchIndexes(ctx); lookErr == nil && done(all) {
			return nil
		}
	}
	return err
}

// matches reports whether an index is the requested one.
func (i *searchIndex) matches(n graph.NewSearchIndex) bool {
	if i == nil || !i.Managed || i.Kind != n.Kind || (n.Analyzer != "" && i.Analyzer != n.Analyzer) {
		return false
	}
	return sameNames(i.Types, typeNames(n)) && sameNames(i.Properties, n.Properties)
}

func typeNames(n graph.NewSearchIndex) []string {
	names := make([]string, len(n.Types))
	for i, t := range n.Types {
		names[i] = string(t)
	}
	return names
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// checkNewSearchIndex rejects what the database would accept, or reject without a clear reason.
func (s *Searcher) checkNewSearchIndex(ctx context.Context, n graph.NewSearchIndex, all []searchIndex) error {
	if slices.Contains(n.Properties, s.idProperty) {
		return fault.Invalid("properties", "must not name the property of the ids")
	}
	if neo4jschema.IndexNamed(all, n.Name) != nil {
		return searchNameTaken(nil)
	}
	if n.Analyzer == "" {
		return nil
	}
	analyzers, err := s.stopWords(ctx)
	if err != nil {
		return err
	}
	if _, there := analyzers[n.Analyzer]; !there {
		return fault.Invalid("analyzer", "must be one of %s", strings.Join(slices.Sorted(maps.Keys(analyzers)), ", "))
	}
	return nil
}

// stopWords are the analyzers of the database and the words that each leaves out. They are read once: another analyzer needs a restart of
// the database.
func (s *Searcher) stopWords(ctx context.Context) (map[string][]string, error) {
	if known := s.analyzers.Load(); known != nil {
		return *known, nil
	}
	rows, err := s.client.ReadRows(ctx, cypher.SearchAnalyzers.Text(nil), nil)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	words := map[string][]string{}
	for _, row := range rows {
		words[bolt.Column[string](row, "analyzer")] = bolt.TextColumn(row, "stopwords")
	}
	s.analyzers.Store(&words)
	return words, nil
}

func searchNameTaken(cause error) error {
	return fault.Wrap(cause, fault.Conflict, "The name is taken",
		fault.Detail{Field: "name", Message: "is the name of another index or constraint"})
}

func searchIndexFault(err error) error {
	switch c := bolt.Code(err); {
	case strings.HasSuffix(c, "IndexWithNameAlreadyExists"), strings.HasSuffix(c, "ConstraintWithNameAlreadyExists"):
		return searchNameTaken(err)
	case strings.HasSuffix(c, "EquivalentSchemaRuleAlreadyExists"): // the same index with the same name, created concurrently
		return searchNameTaken(err)
	case strings.HasSuffix(c, "IndexAlreadyExists"):
		return fault.Wrap(err, fault.Conflict, "There is a full-text index on exactly these types and properties",
			fault.Detail{Field: "properties", Message: "have a full-text index already"})
	}
	return bolt.Translate(err)
}

// DeleteSearchIndex removes an index: see graph.Searcher.
func (s *Searcher) DeleteSearchIndex(ctx context.Context, name string) error {
	all, err := s.searchIndexes(ctx)
	if err != nil {
		return err
	}
	i := neo4jschema.IndexNamed(all, name)
	switch {
	case i == nil && s.audit.IsPending(audit.Delete, audit.SearchIndex, name):
		return s.audit.FlushPending(ctx, searchIndexRemoved) // it was deleted before, but its entry of the audit was not written
	case i == nil:
		return noSearchIndex()
	case !i.Managed:
		return neo4jschema.CreatedInCypher()
	}
	removed := func(all []searchIndex) bool {
		return !slices.ContainsFunc(all, func(one searchIndex) bool { return one.stored == i.stored })
	}
	err = s.changeSearchIndex(ctx, cypher.DropSearchIndex.Text(cypher.Slots{"name": cypher.Quote(i.stored)}), nil, removed)
	if bolt.IsNoSuchIndex(err) {
		return noSearchIndex() // another client was faster
	}
	if err != nil {
		return bolt.Translate(err)
	}
	return s.audit.RecordWithPending(ctx, neo4jaudit.NewEntry(ctx, audit.Delete, audit.SearchIndex, name, name), searchIndexRemoved)
}
