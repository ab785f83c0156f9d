package neo4jschema

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Lists that were slow for lack of an index are counted by shape: the type, the filtered properties with their operators, and the sort.
// Each replica counts in memory and adds its counts to internal nodes of the database, which all replicas read.
const (
	maxListShapes   = 1000             // of one replica and in the database; the shapes of the lowest cost are dropped
	maxShapeBytes   = 2048             // a list with a longer shape is not counted, so that memory is bounded
	adviceInterval  = 10 * time.Second // at most the counts of this period are lost when a replica stops
	adviceRetention = 30 * 24 * time.Hour
	maxIndexAdvice  = 100
	// indexedListCost is the cost of a page by an index; a list's cost is the time beyond it.
	indexedListCost = 20 * time.Millisecond
)

// listShape is a list's query without the literals. It is stored as its JSON text.
type listShape struct {
	Entity graph.Kind  `json:"entity"`
	Type   string      `json:"type"`
	Filter [][2]string `json:"filter"` // property and operator, in order
	Sort   []string    `json:"sort"`   // with a prefix: "-" is descending, "+" ascending
}

// listCost is the total cost of lists of one shape, in microseconds.
type listCost struct{ count, elapsed, saved int64 }

func (c listCost) add(more listCost) listCost {
	return listCost{c.count + more.count, c.elapsed + more.elapsed, c.saved + more.saved}
}

// listCosts counts slow lists by the JSON text of their shape. Its zero value is ready for use.
type listCosts struct {
	mu    sync.Mutex
	costs map[string]listCost
}

// add adds costs, and drops the shape of the lowest cost if there are too many.
func (l *listCosts) add(costs map[string]listCost) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.costs == nil {
		l.costs = map[string]listCost{}
	}
	for key, cost := range costs {
		l.costs[key] = l.costs[key].add(cost)
		if len(l.costs) > maxListShapes {
			delete(l.costs, slices.MinFunc(slices.Collect(maps.Keys(l.costs)), func(a, b string) int {
				return cmp.Compare(l.costs[a].saved, l.costs[b].saved)
			}))
		}
	}
}

// drain returns all costs and removes them.
func (l *listCosts) drain() map[string]listCost {
	l.mu.Lock()
	defer l.mu.Unlock()
	costs := l.costs
	l.costs = nil
	return costs
}

// CountSlowList counts a list of one type that took longer than by an index, and that no index serves.
func (s *IndexStore) CountSlowList(
	ctx context.Context, k graph.Kind, typ graph.TypeName, conditions graph.Filter, sort graph.Sort, began time.Time, err error,
) {
	elapsed := time.Since(began)
	if typ == "" || len(conditions)+len(sort) == 0 || elapsed <= indexedListCost || (err != nil &&
		fault.CodeOf(bolt.Translate(err)) != fault.DatabaseTimeout) {
		return
	}
	indexed, known := s.IndexedKeys(ctx, k)
	if known != nil {
		return
	}
	for _, shape := range s.unservedShapes(k, typ, conditions, sort, indexed) {
		if key, fails := json.Marshal(shape); fails == nil && len(key) <= maxShapeBytes {
			s.slowLists.add(map[string]listCost{
				string(key): {count: 1, elapsed: elapsed.Microseconds(), saved: (elapsed - indexedListCost).Microseconds()},
			})
		}
	}
}

// unservedShapes are the shapes that need an index each: that of the list, or, if only alternatives could find its entities, those of the
// alternatives that no index serves.
func (s *IndexStore) unservedShapes(
	k graph.Kind, typ graph.TypeName, conditions graph.Filter, sort graph.Sort, indexed IndexedKeys,
) []listShape {
	if indexed.ServesAlternatives(string(typ), conditions) {
		return nil
	}
	own, ownSort := servableParts(conditions, sort)
	shapes := []listShape{shapeOf(k, typ, own, ownSort)}
	if !slices.ContainsFunc(own, canBeServed) && AlternativesCanBeServed(conditions) {
		shapes = nil
		for number := 1; number <= graph.MaxConditions; number++ {
			if alternative := alternativeOf(conditions, number); len(alternative) > 0 {
				shapes = append(shapes, shapeOf(k, typ, alternative, nil))
			}
		}
	}
	shapes = slices.DeleteFunc(shapes, func(shape listShape) bool { return shape.served(indexed) })
	if slices.ContainsFunc(shapes, func(shape listShape) bool { _, can := shape.candidate(s.idProperty); return !can }) {
		return nil
	}
	return shapes
}

// servableParts leaves out what no index on edges serves, conditions on properties of their ends and the sort keys from the first of an
// end; and alternatives, of which each needs an index.
func servableParts(conditions graph.Filter, sort graph.Sort) (graph.Filter, graph.Sort) {
	own := slices.DeleteFunc(slices.Clone(conditions), func(c graph.Condition) bool { return c.Side != "" || c.Any != 0 })
	if end := slices.IndexFunc(sort, func(key graph.SortKey) bool { return key.Side != "" }); end >= 0 {
		sort = sort[:end]
	}
	return own, sort
}

func shapeOf(k graph.Kind, typ graph.TypeName, conditions graph.Filter, sort graph.Sort) listShape {
	shape := listShape{Entity: k, Type: string(typ), Filter: [][2]string{}, Sort: []string{}}
	for _, c := range conditions {
		shape.Filter = append(shape.Filter, [2]string{c.Property, string(c.Operator)})
	}
	slices.SortFunc(shape.Filter, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, key := range sort {
		sign := "+"
		if key.Descending {
			sign = "-"
		}
		shape.Sort = append(shape.Sort, sign+key.Property)
	}
	return shape
}

// IndexKindsFor are the kinds of index that serve an operator, the better first, consistent with IndexedKeys.Serves.
func IndexKindsFor(operator string) []string {
	switch graph.Operator(operator) {
	case graph.Equal, graph.OneOf, graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual:
		return []string{"RANGE"}
	case graph.StartsWith:
		return []string{"RANGE", "TEXT"}
	case graph.Contains, graph.EndsWith:
		return []string{"TEXT"}
	default:
		return nil
	}
}

// selectivity is the operators in descending order of the benefit of an index on their property.
var selectivity = []graph.Operator{
	graph.Equal, graph.OneOf, graph.StartsWith, graph.Contains, graph.EndsWith, graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual,
}

// served reports whether an index serves one of the conditions, or the order of the first sort key.
func (l listShape) served(indexed IndexedKeys) bool {
	for _, c := range l.Filter {
		if slices.ContainsFunc(IndexKindsFor(c[1]), func(kind string) bool { return indexed.Has(kind, l.Type, c[0]) }) {
			return true
		}
	}
	return slices.ContainsFunc(indexed.composite[l.Type], func(keys []string) bool { return findsByAll(keys, l.hasCondition) }) ||
		len(l.Sort) > 0 && indexed.Has("RANGE", l.Type, l.Sort[0][1:])
}

// hasCondition reports whether there is a condition on a property with one of some operators.
func (l listShape) hasCondition(key string, operators []graph.Operator) bool {
	return slices.ContainsFunc(l.Filter, func(c [2]string) bool {
		return c[0] == key && slices.Contains(operators, graph.Operator(c[1]))
	})
}

// candidate is the index that would help most, without a name: a range index on several properties if the conditions find entities by all
// of them, or else one on the property of the most selective condition, or on the first sort key.
func (l listShape) candidate(idProperty string) (graph.NewIndex, bool) {
	n := graph.NewIndex{Entity: l.Entity, Kind: graph.RangeIndex, Type: graph.TypeName(l.Type)}
	if _, f := graph.ParseTypeName("type", l.Type); f != nil {
		return n, false
	}
	usable := slices.DeleteFunc(slices.Clone(l.Filter), func(c [2]string) bool { return IndexKindsFor(c[1]) == nil || c[0] == idProperty })
	slices.SortStableFunc(usable, func(a, b [2]string) int {
		return cmp.Compare(slices.Index(selectivity, graph.Operator(a[1])), slices.Index(selectivity, graph.Operator(b[1])))
	})
	switch {
	case len(usable) > 0:
		n.Kind = graph.IndexKind(strings.ToLower(IndexKindsFor(usable[0][1])[0]))
		n.Properties = compositeOf(usable)
	case len(l.Sort) > 0 && l.Sort[0][1:] != idProperty:
		n.Properties = []string{l.Sort[0][1:]}
	default:
		return n, false
	}
	return n, true
}

// maxComposite is the maximum number of properties of an advised index: more find hardly fewer entities and cost every write.
const maxComposite = 3

// compositeOf are the properties of an index for conditions in descending order of selectivity: those of all equalities and of one
// range, or the first property if it is compared in another way.
func compositeOf(conditions [][2]string) []string {
	keys := []string{conditions[0][0]}
	if !slices.Contains(equalities, graph.Operator(conditions[0][1])) {
		return keys
	}
	for _, c := range conditions[1:] {
		operator := graph.Operator(c[1])
		isRange := slices.Contains(ranges, operator)
		if slices.Contains(keys, c[0]) || len(keys) == maxComposite || (!isRange && !slices.Contains(equalities, operator)) {
			continue
		}
		keys = append(keys, c[0])
		if isRange {
			break
		}
	}
	return keys
}

// runSlowListFlush periodically adds the counts to the database.
func (s *IndexStore) runSlowListFlush(ctx context.Context) {
	ticker := time.NewTicker(adviceInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.flushSlowLists(ctx); err != nil {
				s.log.Debug("slow lists could not be counted in the database", "error", err.Error())
			}
		}
	}
}

// flushSlowLists adds the counts to the database. After a failure with an unknown outcome the counts may be added twice.
func (s *IndexStore) flushSlowLists(ctx context.Context) error {
	costs := s.slowLists.drain()
	if len(costs) == 0 {
		return nil
	}
	rows := make([]any, 0, len(costs))
	for key, c := range costs {
		rows = append(rows, map[string]any{"key": key, "count": c.count, "elapsed": c.elapsed, "saved": c.saved})
	}
	_, err := s.client.Write(ctx, cypher.ListShapesAdd.Text(nil), map[string]any{
		"rows": rows, "since": adviceSince(), "max_shapes": maxListShapes,
	})
	if err != nil {
		s.slowLists.add(costs)
	}
	return err
}

func adviceSince() int64 { return time.Now().Add(-adviceRetention).UnixMilli() }

// IndexAdvice returns the indexes that would have helped: see graph.IndexStore.
func (s *IndexStore) IndexAdvice(ctx context.Context) ([]graph.IndexAdvice, error) {
	if err := s.flushSlowLists(ctx); err != nil {
		return nil, bolt.Translate(err)
	}
	rows, err := s.client.ReadRows(ctx, cypher.ListShapesRead.Text(nil), map[string]any{"since": adviceSince()})
	if err != nil {
		return nil, bolt.Translate(err)
	}
	indexes, err := s.propertyIndexes(ctx)
	if err != nil {
		return nil, err
	}
	advice := map[string]*graph.IndexAdvice{}
	for _, row := range rows {
		var shape listShape
		if json.Unmarshal([]byte(bolt.Column[string](row, "key")), &shape) != nil || shape.served(usableKeys(indexes, shape.Entity)) {
			continue
		}
		n, can := shape.candidate(s.idProperty)
		if !can {
			continue
		}
		key := strings.Join([]string{string(n.Entity), string(n.Kind), string(n.Type), strings.Join(n.Properties, "\x00")}, "\x00")
		if advice[key] == nil {
			n.Name = adviceName(n, key, indexes)
			advice[key] = &graph.IndexAdvice{Index: n}
		}
		advice[key].Add(graph.AskedList{
			Filter: shape.Filter, Sort: shape.Sort, Count: bolt.Column[int64](row, "count"),
			Elapsed: time.Duration(bolt.Column[int64](row, "elapsed")) * time.Microsecond, Saved: time.Duration(bolt.Column[int64](row,
				"saved")) * time.Microsecond,
		})
	}
	out := make([]graph.IndexAdvice, 0, len(advice))
	for _, a := range advice {
		slices.SortFunc(a.Asked, func(x, y graph.AskedList) int { return cmp.Compare(y.Saved, x.Saved) })
		out = append(out, *a)
	}
	slices.SortFunc(out, func(x, y graph.IndexAdvice) int {
		return cmp.Or(cmp.Compare(y.Saved, x.Saved), cmp.Compare(x.Index.Name, y.Index.Name))
	})
	return out[:min(len(out), maxIndexAdvice)], nil
}

// usableKeys are the indexes that lists use, or will use once it is built.
func usableKeys(indexes []propertyIndex, entity graph.Kind) IndexedKeys {
	var keys IndexedKeys
	for _, i := range indexes {
		if i.Entity == entity && i.State != graph.SearchFailed && len(i.Types) == 1 {
			keys.add(strings.ToUpper(string(i.Kind)), i.Types[0], i.Properties)
		}
	}
	return keys
}

// adviceName is an unused name for an index: its type and properties if they are valid in a name, or else with a hash.
func adviceName(n graph.NewIndex, key string, indexes []propertyIndex) string {
	plain := string(n.Type) + "_" + strings.Join(n.Properties, "_")
	if n.Kind == graph.TextIndex {
		plain += "_text"
	}
	name := strings.ToLower(strings.Map(func(r rune) rune {
		if r < 128 && graph.CheckSearchIndexName("", string(r)) == nil {
			return r
		}
		return '_'
	}, plain))
	taken := func(name string) bool { return IndexNamed(indexes, name) != nil }
	if strings.EqualFold(name, plain) && !taken(name) && graph.CheckSearchIndexName("name", name) == nil {
		return name
	}
	hash := sha256.Sum256([]byte(key))
	return "x" + strings.TrimLeft(name[:min(len(name), graph.MaxIndexName-10)], "_") + "_" + hex.EncodeToString(hash[:4])
}
