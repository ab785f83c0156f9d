package neo4jstore

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// Internal data shares the database with everybody's. Each statement that a request on nodes, edges or the schema runs says
// how it keeps that out of sight, and the text must bear it out.
func TestStatementsKeepInternalDataOutOfSight(t *testing.T) {
	checked := 0
	for _, statement := range cypher.All() {
		if statement.Folder != "graph" && statement.Folder != "schema" {
			continue
		}
		checked++
		t.Run(statement.Name, func(t *testing.T) {
			require.NoError(t, checkExclusion(statement.Internal, statementText(statement)))
		})
	}
	require.Greater(t, checked, 30)
}

// statementText is the text with every slot filled by a harmless name, and without the name in front.
func statementText(s cypher.Statement) string {
	slots := cypher.Slots{}
	for _, slot := range s.Slots {
		name := "Harmless"
		if strings.HasPrefix(slot, "internal") {
			name = graph.ReservedPrefix
		}
		slots[slot] = cypher.Quote(name)
	}
	return strings.TrimPrefix(s.Text(slots), "/* "+s.Name+" */ ")
}

var (
	nodeExclusion = regexp.MustCompile(`none\(\w+ IN (labels\((\w+)\)|\w+) WHERE toLower\(\w+\) STARTS WITH '_graphrest'\)`)
	edgeExclusion = regexp.MustCompile(`NOT toLower\(type\(\w+\)\) STARTS WITH '_graphrest'`)
	touchesData   = regexp.MustCompile(`\b(MATCH|MERGE|DELETE|REMOVE)\b`)
	touchesEdges  = regexp.MustCompile(`-\[`)
	makesEdges    = regexp.MustCompile(`CREATE \(\w*\)-\[\w*:\$\(row\.type\)\]->\(\w*\)`) // of types that the domain accepted
	internalLabel = regexp.MustCompile("(?i):`?_graphrest")
)

// minReason is how long a reason is at least, in bytes.
const minReason = 12

type exclusionError string

func (e exclusionError) Error() string { return string(e) }

// checkExclusion holds a statement's text to what its header says.
func checkExclusion(header, text string) error {
	kind, reason, _ := strings.Cut(header, " - ")
	data := touchesData.MatchString(withoutSchemaCommands(text))
	switch {
	case header == "":
		return exclusionError("the header \"internal\" is missing")
	case kind != "hidden" && len(reason) < minReason:
		return exclusionError("the reason is missing behind \" - \"")
	case kind == "hidden":
		if !nodeExclusion.MatchString(text) {
			return exclusionError("no node is excluded")
		}
		if touchesEdges.MatchString(text) && len(nodeExclusion.FindAllString(text, -1)) < 2 {
			return exclusionError("an edge is to be excluded by both its ends")
		}
		if touchesEdges.MatchString(makesEdges.ReplaceAllString(text, "")) && !edgeExclusion.MatchString(text) {
			return exclusionError("an edge is to be excluded by its type")
		}
	case kind == "hidden by subtraction", kind == "only":
		if !internalLabel.MatchString(text) {
			return exclusionError("no internal label is in it")
		}
	case kind == "none":
		if data && !strings.Contains(text, "size(labels(n)) = 0") && !countsOnly(text) {
			return exclusionError("it reads or changes nodes or edges")
		}
	default:
		return exclusionError("unknown kind " + kind)
	}
	return nil
}

// withoutSchemaCommands leaves out constraints and indexes, which hold no data.
func withoutSchemaCommands(text string) string {
	if strings.Contains(text, "CONSTRAINT") || strings.Contains(text, "INDEX") {
		return ""
	}
	return text
}

// countsOnly says whether a statement answers nothing but a number from the count store.
func countsOnly(text string) bool {
	return regexp.MustCompile(`^MATCH \S+\s+RETURN count\(\w\) AS \w+$`).MatchString(text)
}

func TestTheExclusionCheckBites(t *testing.T) {
	const node = "none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')"
	for name, c := range map[string]struct{ header, text string }{
		"no header":             {"", "MATCH (n) RETURN n"},
		"no predicate":          {"hidden", "MATCH (n) RETURN n"},
		"edge without its type": {"hidden", "MATCH (a)-[r]->(b) WHERE " + node + " AND " + node + " RETURN r"},
		"edge with one end":     {"hidden", "MATCH (a)-[r]->(b) WHERE NOT toLower(type(r)) STARTS WITH '_graphrest' AND " + node + " RETURN r"},
		"no reason":             {"none", "RETURN 1"},
		"none, but reads":       {"none - because nobody looked closely", "MATCH (n:Person) RETURN n"},
		"only, but not":         {"only - because nobody looked closely", "MATCH (n:Person) RETURN count(n)"},
	} {
		t.Run(name, func(t *testing.T) { require.Error(t, checkExclusion(c.header, c.text)) })
	}
	require.NoError(t, checkExclusion("hidden", "MATCH (a)-[r]->(b) WHERE NOT toLower(type(r)) STARTS WITH '_graphrest' AND "+node+" AND "+node+" RETURN r"))
}
