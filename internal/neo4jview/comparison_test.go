package neo4jview_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// plainTests are the operators as an analyst writes them, with the literal as a parameter.
var plainTests = map[graph.Operator]string{
	graph.Equal:        "n.v = literal",
	graph.NotEqual:     "n.v IS NOT NULL AND NOT coalesce(n.v = literal, false)",
	graph.Less:         "n.v < literal",
	graph.LessEqual:    "n.v <= literal",
	graph.Greater:      "n.v > literal",
	graph.GreaterEqual: "n.v >= literal",
	graph.OneOf:        "n.v IN literal",
	graph.NoneOf:       "n.v IS NOT NULL AND NOT coalesce(n.v IN literal, false)",
	graph.Exists:       "(n.v IS NOT NULL) = literal",
	graph.Contains:     "n.v CONTAINS literal",
	graph.ContainsFold: "CASE WHEN n.v IS :: STRING NOT NULL THEN toLower(n.v) CONTAINS toLower(literal) END",
	graph.StartsWith:   "n.v STARTS WITH literal",
	graph.EndsWith:     "n.v ENDS WITH literal",
	graph.Has:          "CASE WHEN n.v IS :: LIST<ANY> NOT NULL THEN literal IN n.v END",
}

// comparedScalars are values of every kind, and of each those that are nearly the same.
func comparedScalars() []graph.Value {
	return []graph.Value{
		true, false, int64(0), int64(1), int64(-1), int64(255), int64(1 << 53), int64(1<<53 + 1), int64(-1<<53 - 1), int64(1 << 60),
		int64(math.MaxInt64), int64(math.MaxInt64 - 1), int64(math.MinInt64), int64(math.MinInt64 + 1),
		0.0, math.Copysign(0, -1), 1.0, 0.5, -1.0, float64(1 << 53), float64(1<<53 + 2), float64(-1 << 53), float64(1 << 60),
		float64(math.MaxInt64), float64(math.MinInt64), 1e300, math.NaN(), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64,
		"", "a", "A", "1", "aB", "Ab", "b", "\x00", "İ", "i̇", "i", "ı", "ß", "SS", "ẞ", "Σ", "σ", "ς", "ΑΣ-Β", "ας-β", "ασ-", "É", "e\u0301",
		"\ue000", "\ufffd", "😀", "ǅ", "ǆ", "K", "𐕰", "𐖗", "Ɤ", "ɤ", "Ꭰ", "ꭰ",
		graph.Date{},
		graph.Date{Days: 1},
		graph.Date{Days: graph.MinDay},
		graph.LocalTime{},
		graph.LocalTime{Nanos: 12 * 3600e9},
		graph.OffsetTime{Nanos: 12 * 3600e9},
		graph.OffsetTime{Nanos: 13 * 3600e9, Offset: 3600},
		graph.OffsetTime{Nanos: 13 * 3600e9},
		graph.LocalDateTime{},
		graph.LocalDateTime{Nanos: 1},
		graph.DateTime{},
		graph.DateTime{Nanos: 1},
		graph.DateTime{Offset: 3600},
		graph.DateTime{Offset: -3600},
		graph.DateTime{Zone: "UTC"},
		graph.DateTime{Zone: "Etc/UTC"},
		graph.DateTime{Zone: "Europe/Berlin"},
		graph.DateTime{Zone: "Europe/London"},
		graph.DateTime{Zone: "America/New_York"},
		graph.DateTime{Seconds: -1, Zone: "Europe/Berlin"},
		graph.DateTime{Seconds: 1729989000, Zone: "Europe/Berlin"},
		graph.DateTime{Seconds: 1729992600, Zone: "Europe/Berlin"}, // 02:30 twice
		graph.Duration{},
		graph.Duration{Months: 12},
		graph.Duration{Days: 365},
		graph.Duration{Days: 1},
		graph.Duration{Seconds: 86400},
		graph.Point{SRID: graph.SRIDWGS84, X: 1, Y: 2},
		graph.Point{SRID: graph.SRIDCartesian, X: 1, Y: 2},
		graph.Point{SRID: graph.SRIDCartesian3D, X: 1, Y: 2},
		graph.Point{SRID: graph.SRIDWGS84_3D, X: 1, Y: 2},
		graph.Point{SRID: graph.SRIDCartesian},
		graph.Point{SRID: graph.SRIDCartesian, Y: math.Copysign(0, -1)},
	}
}

// comparedValues are comparedScalars, lists of one and of more of them, byte arrays, and some that are drawn by the day.
func comparedValues(t *testing.T) []graph.Value {
	t.Helper()
	values := append(comparedScalars(), graph.Bytes{}, graph.Bytes{0}, graph.Bytes{1, 2}, graph.Bytes{255})
	for _, s := range comparedScalars() {
		if text, isText := s.(string); !isText || len(text) < 2 {
			values = append(values, []graph.Value{s})
		}
	}
	values = append(values,
		[]graph.Value{}, []graph.Value{int64(1), int64(2)}, []graph.Value{1.0, 2.0}, []graph.Value{int64(2), int64(1)}, []graph.Value{"a", "b"},
		[]graph.Value{math.NaN(), 1.0}, []graph.Value{graph.DateTime{}, graph.DateTime{Zone: "UTC"}})
	seed := time.Now().UTC().YearDay() * 100
	t.Logf("drawn from seed %d on", seed)
	for i := range 40 {
		values = append(values, graphgen.Value().Example(seed+i))
	}
	return values
}

// conditionsOn are the conditions with an operator and each of some literals.
func conditionsOn(o graph.Operator, literals []graph.Value) []graph.Condition {
	var conditions []graph.Condition
	add := func(v graph.Value) {
		if o.CheckLiteral("", v) == nil {
			conditions = append(conditions, graph.Condition{Property: "v", Operator: o, Value: v})
		}
	}
	for _, v := range literals {
		if o == graph.OneOf || o == graph.NoneOf {
			add([]graph.Value{"zzz", v, []graph.Value{}})
		} else {
			add(v)
		}
	}
	return conditions
}

// TestConditionsCompareAsNeo4jDoes: conditions are met by the same values in Go, in the statements of the service with and without an
// index and as data, and in the Cypher that an analyst writes.
func TestConditionsCompareAsNeo4jDoes(t *testing.T) {
	testmark.EveryRelease(t)
	c := newComparison(t)
	for _, o := range graph.Operators {
		t.Run(string(o), func(t *testing.T) {
			conditions := conditionsOn(o, c.literals)
			require.NotEmpty(t, conditions)
			plain, own, asData := c.askPlain(t, o, conditions), c.askOwn(t, conditions), c.askAsData(t, conditions)
			for i, condition := range conditions {
				met := c.metInGo(condition)
				c.requireSame(t, met, own[i], condition, "Go and the service")
				c.requireSame(t, met, asData[i], condition, "Go and the service with conditions as data")
				if _, isLenient := neo4jview.Literal(condition).(map[string]any); !isLenient || o != graph.ContainsFold {
					c.requireSame(t, met, plain[i], condition, "Go and Neo4j")
				}
			}
		})
	}
}

// TestConditionsOnIndexedPropertiesCompareAlike: an index never changes which entities meet a condition.
func TestConditionsOnIndexedPropertiesCompareAlike(t *testing.T) {
	testmark.EveryRelease(t)
	c := newComparison(t)
	for _, kind := range []string{"INDEX", "TEXT INDEX", "POINT INDEX"} {
		c.db.Exec(t, "CREATE "+kind+" FOR (n:Value) ON (n.v)", nil)
	}
	c.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	for _, o := range []graph.Operator{
		graph.Equal, graph.Less, graph.LessEqual, graph.Greater, graph.GreaterEqual, graph.OneOf,
		graph.StartsWith, graph.Contains, graph.EndsWith,
	} {
		t.Run(string(o), func(t *testing.T) {
			for _, condition := range conditionsOn(o, c.literals) {
				text := "MATCH (n:Value) WHERE " + predicate(condition, 0) + " RETURN collect(n.i) AS met"
				rows := c.db.Query(t, text, map[string]any{"view": map[string]any{"v0": neo4jview.Literal(condition)}})
				c.requireSame(t, c.metInGo(condition), positions(rows[0]["met"]), condition, "Go and an index")
			}
		})
	}
}

// TestGrantsOnOnePropertyFindWhatEachOfThemFinds: grants that differ in the value of a property are one condition, which finds what the
// database finds for each of them, whether or not an index serves it.
func TestGrantsOnOnePropertyFindWhatEachOfThemFinds(t *testing.T) {
	testmark.EveryRelease(t)
	c := newComparison(t)
	conditions := conditionsOn(graph.Equal, c.literals)
	met := c.askPlain(t, graph.Equal, conditions)
	random := rand.New(rand.NewPCG(uint64(time.Now().UTC().YearDay()), 0))
	var all []int
	ask := func(t *testing.T) {
		for range 150 {
			role, want := rules.Role{Name: "r"}, map[int]bool{}
			for _, at := range random.Perm(len(conditions))[:2+random.IntN(30)] {
				condition := conditions[at]
				if random.IntN(4) == 0 {
					condition.Operator, condition.Value = graph.OneOf, []graph.Value{condition.Value, "zzz"}
				}
				role.Grants = append(role.Grants, rules.Grant{
					Kind: graph.NodeKind, Type: "Value", Actions: []rules.Action{rules.Read}, Where: []rules.Condition{{Condition: condition}},
				})
				for _, i := range met[at] {
					want[i] = true
				}
			}
			view := rules.NewView(rules.User{ID: "1"}, nil, []rules.Role{role})
			require.LessOrEqual(t, len(view.Scopes(rules.Read, graph.NodeKind)), 2, "those that an index serves, and the others")
			p := neo4jview.PredicateOf(rules.WithView(t.Context(), view), graph.NodeKind)
			rows := c.db.Query(t, "MATCH (n:Value) WHERE "+p.Text("Value").String()+" RETURN collect(n.i) AS met", p.With(map[string]any{}))
			got := positions(rows[0]["met"])
			require.ElementsMatch(t, slices.Collect(maps.Keys(want)), got, "%v", role.Grants)
			all = append(all, got...)
		}
	}
	t.Run("without an index", ask)
	c.db.Exec(t, "CREATE INDEX FOR (n:Value) ON (n.v)", nil)
	c.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	t.Run("with an index", ask)
	require.NotEmpty(t, all)
}

// TestTextsFoldAsTheDatabaseLowersThem: FoldCase of each letter is what toLower writes, but for UnevenLetters.
func TestTextsFoldAsTheDatabaseLowersThem(t *testing.T) {
	testmark.EveryRelease(t)
	var letters []string
	for r := range rune(0x20000) { // no letter beyond has a case
		if utf8.ValidRune(r) {
			letters = append(letters, string(r))
		}
	}
	rows := neo4jtest.Open(t).Query(t, "RETURN [letter IN $letters | toLower(letter)] AS lower", map[string]any{"letters": letters})
	for i, lower := range rows[0]["lower"].([]any) {
		folded, text := graph.FoldCase(letters[i]), lower.(string)
		for _, pair := range graph.UnevenLetters(folded) {
			text = strings.ReplaceAll(text, pair[0], pair[1])
		}
		require.Equal(t, folded, text, "U+%04X", []rune(letters[i])[0])
	}
}

// comparison is a database with a node for each value, and one without, and the literals that the values are compared with.
type comparison struct {
	db       *neo4jtest.DB
	values   []graph.Value // as the database returns them; nil for the node without
	literals []graph.Value
}

func newComparison(t *testing.T) *comparison {
	t.Helper()
	c := &comparison{db: neo4jtest.Open(t), literals: comparedValues(t)}
	rows := make([]any, len(c.literals))
	for i, v := range c.literals {
		rows[i] = map[string]any{"i": i, "v": bolt.ToDriver(v)}
	}
	c.db.Exec(t, "UNWIND $rows AS row CREATE (:Value {i: row.i, v: row.v})", map[string]any{"rows": rows})
	c.db.Exec(t, "CREATE (:Value {i: $i})", map[string]any{"i": len(rows)})
	for _, row := range c.db.Query(t, "MATCH (n:Value) RETURN n.v AS v ORDER BY n.i", nil) {
		c.values = append(c.values, bolt.FromDriver(row["v"]))
	}
	return c
}

func (c *comparison) metInGo(condition graph.Condition) (met []int) {
	for i, v := range c.values {
		if condition.IsMetBy(v) {
			met = append(met, i)
		}
	}
	return met
}

// askPlain asks which values meet each of some conditions with one operator.
func (c *comparison) askPlain(t *testing.T, o graph.Operator, conditions []graph.Condition) [][]int {
	t.Helper()
	literals := make([]any, len(conditions))
	for i, condition := range conditions {
		literals[i] = bolt.ToDriver(condition.Value)
		if list, isList := condition.Value.([]graph.Value); isList && (o == graph.OneOf || o == graph.NoneOf) {
			literals[i] = []any{list[0], bolt.ToDriver(list[1]), list[2]}
		}
	}
	rows := c.db.Query(t, "UNWIND range(0, size($literals) - 1) AS i WITH i, $literals[i] AS literal "+
		"CALL (literal) { MATCH (n:Value) WITH n, "+plainTests[o]+" AS holds WHERE holds RETURN collect(n.i) AS met } RETURN met ORDER BY i",
		map[string]any{"literals": literals})
	var met [][]int
	for _, row := range rows {
		met = append(met, positions(row["met"]))
	}
	return met
}

// askOwn is askPlain with the tests of the service, which no index serves.
func (c *comparison) askOwn(t *testing.T, conditions []graph.Condition) [][]int {
	t.Helper()
	met := make([][]int, len(conditions))
	const together = 50
	for first := 0; first < len(conditions); first += together {
		var tests []string
		literals := map[string]any{}
		for n, condition := range conditions[first:min(first+together, len(conditions))] {
			tests = append(tests, "coalesce("+predicate(condition, n)+", false)")
			literals[fmt.Sprintf("v%d", n)] = neo4jview.Literal(condition)
		}
		text := "MATCH (n:Value) RETURN n.i AS i, [" + strings.Join(tests, ", ") + "] AS holds"
		for _, row := range c.db.Query(t, text, map[string]any{"view": literals}) {
			for n, holds := range row["holds"].([]any) {
				if holds.(bool) {
					met[first+n] = append(met[first+n], int(row["i"].(int64)))
				}
			}
		}
	}
	return met
}

// askAsData is askOwn with the conditions as data.
func (c *comparison) askAsData(t *testing.T, conditions []graph.Condition) (met [][]int) {
	t.Helper()
	scopes, scope := make([]any, len(conditions)), cypher.Scope{Data: &cypher.ScopeData{Length: 1}}
	for i, condition := range conditions {
		scope.Conditions = append(scope.Conditions,
			cypher.Condition{Operator: neo4jview.Operator(condition), Key: cypher.Quote(condition.Property)})
		test := []any{condition.Property, cypher.OperatorNumber(neo4jview.Operator(condition)), neo4jview.Literal(condition)}
		scopes[i] = []any{map[string]any{"tests": []any{test}}}
	}
	holds := strings.ReplaceAll(cypher.InScopes(cypher.NodeEntity, []cypher.Scope{scope}).String(), "$view.s0", "$scopes[i]")
	rows := c.db.Query(t, "UNWIND range(0, size($scopes) - 1) AS i CALL (i) { MATCH (n:Value) WHERE "+holds+
		" RETURN collect(n.i) AS met } RETURN met ORDER BY i", map[string]any{"scopes": scopes})
	for _, row := range rows {
		met = append(met, positions(row["met"]))
	}
	return met
}

func predicate(c graph.Condition, position int) string {
	condition := cypher.Condition{Operator: neo4jview.Operator(c), Key: cypher.Quote(c.Property)}
	return cypher.InScopes(cypher.NodeEntity, []cypher.Scope{{Conditions: []cypher.Condition{condition}, First: position}}).String()
}

func positions(column any) (positions []int) {
	for _, i := range column.([]any) {
		positions = append(positions, int(i.(int64)))
	}
	return positions
}

// requireSame compares which values meet a condition, and names those of only one side.
func (c *comparison) requireSame(t *testing.T, want, got []int, condition graph.Condition, sides string) {
	t.Helper()
	var names []string
	for i, v := range c.values {
		if met := slices.Contains(want, i); met != slices.Contains(got, i) {
			names = append(names, fmt.Sprintf("%T %#v: %t", v, v, met))
		}
	}
	require.Empty(t, names, "%s: %s %T %#v", sides, condition.Operator, condition.Value, condition.Value)
}
