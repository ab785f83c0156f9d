package neo4jstore

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// Internal data is in the same database as the clients' data. Each statement of a request on nodes, edges or the schema declares how it
// hides internal data, and its text must do so.
func TestStatementsKeepInternalDataOutOfSight(t *testing.T) {
	testmark.EveryRelease(t)
	checked := 0
	for _, statement := range cypher.All() {
		if statement.Folder != "graph" && statement.Folder != "schema" {
			continue
		}
		checked++
		t.Run(statement.Name, func(t *testing.T) {
			require.NoError(t, checkExclusion(statement.Internal, statement.Parts, statementText(statement)))
			require.NoError(t, checkRows(statement))
		})
	}
	require.Greater(t, checked, 30)
}

// statementText is the text with every slot filled by a valid name, the direction by both, and without the name in front.
func statementText(s cypher.Statement) string {
	slots := cypher.Slots{}
	for _, slot := range s.Slots {
		name := "Harmless"
		if strings.HasPrefix(slot, "internal") {
			name = graph.ReservedPrefix
		}
		slots[slot] = cypher.Quote(name)
		if end, has := cypher.EdgesBoth()[slot]; has {
			slots[slot] = end
		}
	}
	return strings.TrimPrefix(s.Text(slots).String(), "/* "+s.Name+" */ ")
}

var (
	chosenLater   = regexp.MustCompile(`^hidden by list_(nodes|edges)_chosen\b`)
	nodeLabelTest = regexp.MustCompile("NOT \\w+:`_Graphrest`")       // the slot internal
	nodeExclusion = regexp.MustCompile(`^visible_(node|labels) \w+$`) // of the parts of a statement, as is the next
	edgeExclusion = regexp.MustCompile(`^visible_type \w+$`)
	touchesData   = regexp.MustCompile(`\b(MATCH|MERGE|DELETE|REMOVE)\b`)
	touchesEdges  = regexp.MustCompile(`-\[`)
	createsEdges  = regexp.MustCompile(`CREATE \(\w*\)-\[\w*:\$\(row\.type\)\]->\(\w*\)`) // of types that the domain accepted
	internalLabel = regexp.MustCompile("(?i):`?_graphrest")
)

// everyNodePredicate begins a predicate on each node of a path.
const everyNodePredicate = "all(n IN nodes(p) WHERE none(l IN labels(n) "

// pathTest tests whether a path contains internal data.
const pathTest = "any(n IN nodes(p) WHERE any(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest'))\n" +
	"    OR any(r IN relationships(p) WHERE toLower(type(r)) STARTS WITH '_graphrest')"

// minReason is the minimum length of a reason, in bytes.
const minReason = 12

type exclusionError string

func (e exclusionError) Error() string { return string(e) }

// checkExclusion checks a statement against its header: its parts, which are the tests that hide internal data, and its text.
func checkExclusion(header string, parts []string, text string) error {
	kind, reason, _ := strings.Cut(header, " - ")
	data := touchesData.MatchString(withoutSchemaCommands(text))
	switch {
	case header == "":
		return exclusionError("the header \"internal\" is missing")
	case kind != "hidden" && kind != cypher.TypesNamed && len(reason) < minReason:
		return exclusionError("the reason is missing behind \" - \"")
	case kind == "hidden", kind == cypher.TypesNamed:
		excluded := len(excludedNodes(parts, text))
		if excluded == 0 {
			return exclusionError("no node is excluded")
		}
		if touchesEdges.MatchString(text) && !strings.Contains(text, everyNodePredicate) && excluded < 2 {
			return exclusionError("an edge is to be excluded by both its ends")
		}
		if kind == cypher.TypesNamed {
			return checkNamedTypes(text)
		}
		if touchesEdges.MatchString(createsEdges.ReplaceAllString(text, "")) && !slices.ContainsFunc(parts, edgeExclusion.MatchString) {
			return exclusionError("an edge is to be excluded by its type")
		}
	case kind == "hidden by subtraction", kind == "only":
		if !internalLabel.MatchString(text) {
			return exclusionError("no internal label is in it")
		}
	case kind == "hidden by the caller":
		if !returnsNames(parts, text) && !slices.Contains(parts, rowTest) && !strings.Contains(text, pathTest) {
			return exclusionError("it does not return the labels and types that the caller needs to check")
		}
	case kind == "none":
		decides := slices.ContainsFunc(decisions, func(pattern *regexp.Regexp) bool { return pattern.MatchString(text) })
		if data && !decides && !strings.Contains(text, "size(labels(n)) = 0") && !countsOnly(text) {
			return exclusionError("it reads or changes nodes or edges")
		}
	case chosenLater.MatchString(kind): // only that statement reads its rows: see sortedRead
	default:
		return exclusionError("unknown kind " + kind)
	}
	return nil
}

// excludedNodes are the distinct tests that exclude a node.
func excludedNodes(parts []string, text string) []string {
	found := nodeLabelTest.FindAllString(text, -1)
	for _, part := range parts {
		if nodeExclusion.MatchString(part) {
			found = append(found, part)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

var edgePattern = regexp.MustCompile(`-\[[^\]]*\]-`)

// checkNamedTypes requires that each pattern of a relationship names the type. Text rejects a wildcard there.
func checkNamedTypes(text string) error {
	for _, found := range edgePattern.FindAllString(text, -1) {
		if !strings.HasSuffix(strings.TrimSuffix(found, "]-"), ":`Harmless`") {
			return exclusionError("no type is named in " + found)
		}
	}
	return nil
}

// checkRows requires that the rows of a statement that uses an earlier list of internal names show whether they are internal, so that a
// name that came into use since is recognized: see InternalRow. A statement that counts has no rows.
func checkRows(s cypher.Statement) error {
	if chosenLater.MatchString(s.Internal) || !slices.Contains(s.Slots, "internal") || !slices.Contains(s.Returns, "element") {
		return nil
	}
	switch {
	case slices.Contains(s.Returns, "labels"):
		return nil
	case !slices.Contains(s.Returns, "internal") || !slices.Contains(s.Parts, rowTest):
		return exclusionError("a row does not say whether it is of internal data")
	case s.Internal != cypher.TypesNamed && !slices.Contains(s.Returns, "type"):
		return exclusionError("a row of a relationship does not say its type")
	default:
		return nil
	}
}

// rowTest is the part that says of a row of a relationship whether an end is internal.
const rowTest = "internal_end"

// returnsNames reports whether a statement returns the labels of nodes, and of edges their types and their ends' labels, except for an end
// that it tests itself.
func returnsNames(parts []string, text string) bool {
	oneEnd := strings.Contains(text, "labels(a)") || slices.ContainsFunc(parts, nodeExclusion.MatchString)
	return !touchesEdges.MatchString(text) || (strings.Contains(text, "type(r)") && oneEnd && strings.Contains(text, "labels(b)"))
}

// withoutSchemaCommands removes statements on constraints and indexes, which contain no data.
func withoutSchemaCommands(text string) string {
	if strings.Contains(text, "CONSTRAINT") || strings.Contains(text, "INDEX") {
		return ""
	}
	return text
}

// decisions match the statements that decide how another one reads: how many entities a type has and which is the last; how many there are
// up to a limit; the element id at a position; whether there are more ids behind a number of them.
var decisions = []*regexp.Regexp{
	regexp.MustCompile(`^CALL \{ MATCH \S+ RETURN count\(\w\) AS total \}\s+` +
		`CALL \{ MATCH \S+ WITH \w ORDER BY \w DESC LIMIT 1 RETURN elementId\(\w\) AS last \}\s+RETURN total, last$`),
	regexp.MustCompile(`^MATCH \S+\s+WHERE .*\s+WITH \w LIMIT \$max_rows\s+RETURN count\(\w\) AS total$`),
	regexp.MustCompile(`^MATCH \S+\s+WITH \w ORDER BY \w SKIP \$skip LIMIT 1\s+RETURN elementId\(\w\) AS element$`),
	regexp.MustCompile(`^MATCH \S+\s+WHERE \S+ > \$after\s+WITH \w ORDER BY \S+ SKIP \$window LIMIT 1\s+RETURN count\(\w\) > 0 AS more$`),
}

// countsOnly reports whether a statement returns only a number from the count store.
func countsOnly(text string) bool {
	return regexp.MustCompile(`^MATCH \S+\s+RETURN count\(\w\) AS \w+$`).MatchString(text)
}

func TestExclusionCheckRejectsViolations(t *testing.T) {
	const node, other, typed = "visible_node a", "visible_node b", "visible_type r"
	const edge = "MATCH (a)-[r]->(b) RETURN r"
	const (
		oneEnd   = "MATCH (a)-[r:`Harmless`]->(b) WHERE NOT a:`_Graphrest` RETURN r"
		sameEnd  = "MATCH (a)-[r:`Harmless`]->(b) WHERE NOT a:`_Graphrest` AND NOT a:`_Graphrest` RETURN r"
		bothEnds = "MATCH (a)-[r:`Harmless`]->(b) WHERE NOT a:`_Graphrest` AND NOT b:`_Graphrest` RETURN r"
	)
	for name, c := range map[string]struct {
		header string
		parts  []string
		text   string
	}{
		"no header":             {"", nil, "MATCH (n) RETURN n"},
		"no predicate":          {"hidden", nil, "MATCH (n) RETURN n"},
		"predicate by hand":     {"hidden", nil, "MATCH (n) WHERE none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest') RETURN n"},
		"edge without its type": {"hidden", []string{node, other}, edge},
		"edge with one end":     {"hidden", []string{typed, node}, edge},
		"edge by its type":      {"hidden", []string{typed}, edge},
		"label test, one end":   {"hidden, types named", nil, oneEnd},
		"one end twice":         {"hidden, types named", nil, sameEnd},
		"one part twice":        {"hidden", []string{typed, node, node}, edge},
		"no type is named":      {"hidden, types named", nil, "MATCH (a)-[r]->(b) WHERE NOT a:`_Graphrest` AND NOT b:`_Graphrest` RETURN r"},
		"label test, untested":  {"hidden", nil, bothEnds},
		"test of another label": {"hidden", nil, "MATCH (n) WHERE NOT n:`Harmless` RETURN n"},
		"no reason":             {"none", nil, "RETURN 1"},
		"none, but reads":       {"none - because the author was careless", nil, "MATCH (n:Person) RETURN n"},
		"hidden by whom":        {"hidden by the caller - who is not given a type", nil, "MATCH (a)-[r]->(b) RETURN r, labels(a), labels(b)"},
		"only, but not":         {"only - because the author was careless", nil, "MATCH (n:Person) RETURN count(n)"},
	} {
		t.Run(name, func(t *testing.T) { require.Error(t, checkExclusion(c.header, c.parts, c.text)) })
	}
	require.NoError(t, checkExclusion("hidden", []string{"visible_edge", typed, node, other}, edge))
	require.NoError(t, checkExclusion(cypher.TypesNamed, nil, bothEnds))
	require.Panics(t, func() {
		s := cypher.ExportEdges
		s.Text(cypher.Slots{"type": cypher.Any, "id": cypher.Quote("uuid"), "internal": cypher.Quote("_Graphrest")})
	}, "a wildcard in place of a named type")
	row := func(slots, returns string) error {
		return checkRows(cypher.Statement{Internal: "hidden", Slots: strings.Fields(slots), Returns: strings.Fields(returns)})
	}
	require.Error(t, row("internal", "element properties"))
	require.NoError(t, row("internal", "element labels properties"))
	require.NoError(t, row("internal", "total"))
}

// TestReservedNamesAreThoseThatStatementsHide: graph.Reserved says of every name what the statements test by toLower.
func TestReservedNamesAreThoseThatStatementsHide(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	names := []string{
		"_GraphrestUser", "_GRAPHREST", "_Graphre\u017ft",
		"_Graphres\u0167", "_Graphres", "_Gra\u0440hrest", "\uff3fGraphrest", "_Graphrest\u0130",
	}
	for _, row := range db.Query(t, "UNWIND $names AS name RETURN name, toLower(name) STARTS WITH '_graphrest' AS hidden",
		map[string]any{"names": names}) {
		require.Equal(t, row["hidden"], graph.Reserved(row["name"].(string)), "%q", row["name"])
	}
}
