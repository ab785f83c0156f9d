package neo4jsearch

import (
	"context"
	"encoding/binary"
	"reflect"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// searchClauses is the maximum number of terms in properties in one Lucene query; its own limit is 1,024: see propertyQuery.
const searchClauses = 1000

// similarTerms is how many terms Lucene puts in the place of a similar word, at most.
const similarTerms = 50

// termsOfWords are the terms of each word in an index, and how many there are in one property.
func termsOfWords(words []graph.Word, i searchIndex) (terms []wordTerms, count int) {
	for _, w := range words {
		ofWord := termsOf(w, i)
		terms, count = append(terms, ofWord), count+len(ofWord.any)
		if w.Prefix {
			count += len(splitPrefix(w.Text)) // each is two words
		}
		if w.Fuzzy {
			count += similarTerms - 1
		}
	}
	return terms, count
}

// foldingAnalyzer is the analyzer of Neo4j that ignores accents of Latin letters that are composed.
const foldingAnalyzer = "standard-folding"

// Search finds entities by words: see graph.Searcher.
func (s *Searcher) Search(ctx context.Context, q graph.SearchQuery) (graph.Hits, error) {
	skip, err := decodeRank(q.After)
	if err != nil {
		return graph.Hits{}, err
	}
	if q.After == nil {
		skip = q.Offset
	}
	for retries := bolt.AtOnce.Begin(); ; { // an index or an entity may be deleted concurrently
		hits, err := s.searchOnce(ctx, q, skip)
		if err == nil || (!bolt.IsForbidden(err) && !bolt.IsEntityDeleted(err)) || !retries.Again(ctx) {
			if bolt.IsForbidden(err) {
				err = bolt.Unavailable(err, "A search index cannot be used at the moment; try again")
			}
			return hits, bolt.Translate(err)
		}
	}
}

// searchOnce searches in the indexes as last read while they are read again: see bolt.ReadSpeculatively.
func (s *Searcher) searchOnce(ctx context.Context, q graph.SearchQuery, skip int64) (graph.Hits, error) {
	isAlike := func(a, b *[]searchIndex) bool { return areSearchedAlike(*a, *b) }
	return bolt.ReadSpeculatively(ctx, s.indexes, 0, isAlike, func(ctx context.Context, indexes *[]searchIndex) (graph.Hits, error) {
		return s.searchIn(ctx, *indexes, q, skip)
	})
}

// areSearchedAlike reports whether a search is the same in both lists of indexes. The progress of a population differs at each read.
func areSearchedAlike(a, b []searchIndex) bool {
	return slices.EqualFunc(a, b, func(a, b searchIndex) bool {
		a.Progress, b.Progress = 0, 0
		return reflect.DeepEqual(a, b)
	})
}

func (s *Searcher) searchIn(ctx context.Context, indexes []searchIndex, q graph.SearchQuery, skip int64) (graph.Hits, error) {
	asked, err := s.searchesFor(ctx, indexes, q)
	if err != nil {
		return graph.Hits{}, err
	}
	labels, types, err := s.managed(ctx, neo4jschema.ReadAge)
	if err != nil {
		return graph.Hits{}, err
	}
	count := int64(len(asked[graph.NodeKind].asked) + len(asked[graph.EdgeKind].asked))
	b := bounds{
		maxHits: min(graph.MaxSearchHits, graph.SharedSearchHits/max(count, 1)),
		limit:   min(skip, graph.SharedSearchHits) + int64(q.Limit) + 1,
	}
	ofNodes, err := s.rank(ctx, graph.NodeKind, asked[graph.NodeKind], labels, q.Type, b)
	if err != nil {
		return graph.Hits{}, err
	}
	ofEdges, err := s.rank(ctx, graph.EdgeKind, asked[graph.EdgeKind], types, q.Type, b)
	if err != nil {
		return graph.Hits{}, err
	}
	ranked := mergeByScore(ofNodes.hits, ofEdges.hits)
	if !rules.ViewOf(ctx).ShowsAll() {
		scoreByRank(ranked)
	}
	ranked = ranked[min(skip, int64(len(ranked))):]
	hits := graph.Hits{Truncated: ofNodes.truncated || ofEdges.truncated}
	if !hits.Truncated {
		total := ofNodes.total + ofEdges.total
		hits.Total = &total
	}
	if len(ranked) > q.Limit {
		ranked = ranked[:q.Limit]
		hits.Next = encodeRank(skip + int64(q.Limit))
	}
	read, err := s.readRanked(ctx, ranked)
	if hits.Items = read.hits; read.ranked < len(ranked) { // the page is full by its bytes
		hits.Next = encodeRank(skip + int64(read.ranked))
	}
	return hits, err
}

// searches are the queries of one search, on the indexes of one kind: see the statement.
type searches struct {
	asked      []any
	conditions []cypher.Fragment // that a property is shown, in the numbers of asked
}

// conditionNumber is the number of a condition; 0 for none.
func (s *searches) conditionNumber(shown cypher.Fragment) int {
	if shown == (cypher.Fragment{}) {
		return 0
	}
	if !slices.Contains(s.conditions, shown) {
		s.conditions = append(s.conditions, shown)
	}
	return slices.Index(s.conditions, shown) + 1
}

// searchesFor chooses the indexes of a search, and the queries of each.
func (s *Searcher) searchesFor(ctx context.Context, all []searchIndex, q graph.SearchQuery) (map[graph.Kind]*searches, error) {
	chosen, err := chooseIndexes(all, q)
	if err != nil {
		return nil, err
	}
	out := map[graph.Kind]*searches{graph.NodeKind: {}, graph.EdgeKind: {}}
	for _, i := range chosen {
		of := out[i.Kind]
		properties := s.searchedProperties(ctx, i, q)
		terms, count := termsOfWords(q.Words, i)
		if count*(len(properties)+1) > searchClauses {
			return nil, fault.Invalid("q", "has too many words for a search in %d properties; name fewer in property", len(properties))
		}
		of.add(i.stored, terms, properties)
	}
	if len(q.Properties) > 0 && len(out[graph.NodeKind].asked)+len(out[graph.EdgeKind].asked) == 0 {
		return nil, fault.Invalid("property", "names no property that a search index searched here has")
	}
	return out, nil
}

// searchedProperty is a property of an index, and the condition that the user sees it; empty if the user always does.
type searchedProperty struct {
	name  string
	shown cypher.Fragment
}

// searchedProperties are the properties of an index that a search uses: those that the user sees on some entities. Ids are not words, and
// are not shown as properties.
func (s *Searcher) searchedProperties(ctx context.Context, i searchIndex, q graph.SearchQuery) []searchedProperty {
	view := neo4jview.PredicateOf(ctx, i.Kind)
	var properties []searchedProperty
	for _, name := range i.Properties {
		if name == s.idProperty || (len(q.Properties) > 0 && !slices.Contains(q.Properties, name)) {
			continue
		}
		if shown := view.ShownInTypes(i.Types, name); shown != cypher.False {
			properties = append(properties, searchedProperty{name, shown})
		}
	}
	return properties
}

// add adds the searches of one index, one for each property. If different conditions decide whether they are shown, the index cannot tell
// whether an entity contains each word in a property that is shown: so that it must be found for each word by itself, in the properties
// of one of the conditions.
func (s *searches) add(index string, terms []wordTerms, properties []searchedProperty) {
	names, groups := make([]string, len(properties)), map[int][]string{}
	for n, p := range properties {
		condition := s.conditionNumber(p.shown)
		names[n], groups[condition] = p.name, append(groups[condition], p.name)
	}
	numbered := 0
	if len(groups) > 1 {
		numbered = len(terms)
	}
	for _, p := range properties {
		s.asked = append(s.asked, map[string]any{
			"index": index, "property": p.name, "words": numbered, "condition": s.conditionNumber(p.shown),
			"query": propertyQuery(terms, names, p.name),
		})
	}
	for condition, group := range groups {
		for n := range numbered {
			s.asked = append(s.asked, map[string]any{
				"index": index, "word": n, "words": numbered, "condition": condition,
				"query": wordQuery(terms, names, n, group),
			})
		}
	}
}

// chooseIndexes are the indexes that a search names, or else all that can be searched.
func chooseIndexes(all []searchIndex, q graph.SearchQuery) ([]searchIndex, error) {
	var online []searchIndex
	building := false
	for _, i := range all {
		named := slices.Contains(q.Indexes, i.Name)
		if (len(q.Indexes) > 0 && !named) || (q.Kind != "" && i.Kind != q.Kind) {
			continue
		}
		switch {
		case i.State == graph.SearchOnline:
			online = append(online, i)
		case i.State == graph.SearchBuilding:
			building = true
			if named {
				return nil, stillBuilding()
			}
		case named:
			return nil, fault.New(fault.Conflict, "A search index could not be built; an administrator has to delete it and create it again",
				fault.Detail{Field: "index", Message: "names one that failed"})
		}
	}
	for _, name := range q.Indexes {
		if neo4jschema.IndexNamed(all, name) == nil {
			return nil, fault.New(fault.NotFound, "There is no such search index",
				fault.Detail{Field: "index", Message: "names one that does not exist"})
		}
	}
	switch {
	case len(online) > 0 || len(q.Indexes) > 0:
		return online, nil
	case building:
		return nil, stillBuilding()
	}
	return nil, fault.New(fault.NotFound, "There is no search index yet; an administrator creates one with POST /api/admin/search-indexes")
}

func stillBuilding() error {
	return fault.New(fault.DatabaseUnavailable, "The search index is still being built; try again").RetryAfter(neo4jschema.RetryAfterBuild)
}

// ranking is the result of a statement, the best hits first.
type ranking struct {
	hits      []rankedHit
	total     int64
	truncated bool
}

// bounds are how many of the best hits each search reads, and how many a statement returns.
type bounds struct{ maxHits, limit int64 }

type rankedHit struct {
	kind    graph.Kind
	element string
	score   float64
	matched []string
}

// rank runs the searches of one kind. Its errors are the driver's.
func (s *Searcher) rank(
	ctx context.Context, k graph.Kind, of *searches, managed []string, typ graph.TypeName, b bounds,
) (ranking, error) {
	if len(of.asked) == 0 {
		return ranking{}, nil
	}
	var wanted any
	if typ != "" {
		wanted = string(typ)
	}
	view := neo4jview.PredicateOf(ctx, k)
	condition := cypher.And([]cypher.Fragment{view.Text(""), cypher.SearchedShown(of.conditions)})
	text := statementsOf[k].search.Text(cypher.Slots{"id": s.idName, "view": condition})
	records, err := s.client.Read(ctx, text, view.With(map[string]any{
		"asked": of.asked, "max_hits": max(b.maxHits, 1), "type": wanted, "managed": managed, "limit": b.limit,
	}))
	if err != nil || len(records) == 0 {
		return ranking{}, err
	}
	list := bolt.Column[[]any](records[0], "hits")
	r := ranking{
		total: bolt.Column[int64](records[0], "total"), truncated: bolt.Column[bool](records[0], "truncated"),
		hits: make([]rankedHit, len(list)),
	}
	for i := range list {
		row, _ := list[i].([]any)
		hit := bolt.Tuple(row)
		score, _ := hit[1].(float64)
		r.hits[i] = rankedHit{kind: k, element: hit.Text(0), score: score}
		for _, ofIndex := range hit.List(2) {
			r.hits[i].matched = append(r.hits[i].matched, bolt.AsTexts(bolt.AsList(ofIndex))...)
		}
		slices.Sort(r.hits[i].matched)
		r.hits[i].matched = slices.Compact(r.hits[i].matched)
	}
	return r, nil
}

// mergeByScore merges two rankings; for equal scores the first ranking takes precedence.
func mergeByScore(a, b []rankedHit) []rankedHit {
	out := make([]rankedHit, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].score >= b[0].score {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// scoreByRank gives the hits scores that depend on their ranks only. Lucene's tell how many entities contain a word, and so also whether
// those do that the user does not see.
func scoreByRank(ranked []rankedHit) {
	for i := range ranked {
		ranked[i].score = 1 / float64(i+1)
	}
}

// foundHits are hits that were read, and how many ranks they cover.
type foundHits struct {
	hits   []graph.Hit
	ranked int
}

// readRanked reads the hits, until the entities of one kind fill a page. Entities deleted meanwhile are omitted.
func (s *Searcher) readRanked(ctx context.Context, ranked []rankedHit) (foundHits, error) {
	wanted := map[graph.Kind][]string{}
	for _, r := range ranked {
		wanted[r.kind] = append(wanted[r.kind], r.element)
	}
	read, left := map[graph.Kind]map[string]graph.Hit{}, map[graph.Kind]int{}
	for _, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
		hits := map[string]graph.Hit{}
		done, err := s.readHits(ctx, k, wanted[k], func(elementID string, hit graph.Hit) { hits[elementID] = hit })
		if err != nil {
			return foundHits{}, err
		}
		read[k], left[k] = hits, done
	}
	found := foundHits{hits: make([]graph.Hit, 0, len(ranked))}
	for _, r := range ranked {
		if left[r.kind] == 0 {
			break
		}
		left[r.kind]--
		found.ranked++
		if hit, there := read[r.kind][r.element]; there {
			hit.Score, hit.Matched = r.score, r.matched
			found.hits = append(found.hits, hit)
		}
	}
	return found, nil
}

// rankVersion begins the cursor positions of searches. A position is a rank, not a score: any write to the database may change every score
// slightly, and with it the hits after a score.
const rankVersion = 3

func encodeRank(rank int64) graph.Position {
	return binary.AppendUvarint([]byte{rankVersion}, uint64(rank))
}

func decodeRank(position graph.Position) (int64, error) {
	if position == nil {
		return 0, nil
	}
	malformed := fault.Invalid("cursor", "is not a cursor of a search")
	if len(position) < 2 || position[0] != rankVersion {
		return 0, malformed
	}
	rank, read := binary.Uvarint(position[1:])
	if read != len(position)-1 || rank > 1<<62 {
		return 0, malformed
	}
	return int64(rank), nil
}
