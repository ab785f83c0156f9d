package neo4jtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"
)

// internalPrefix starts every name of the gateway's own data.
const internalPrefix = "_Graphrest"

// ChecksumOption changes what Checksum looks at.
type ChecksumOption func(*checksumScope)

type checksumScope struct{ ignoreInternal bool }

// IgnoreInternal leaves out the gateway's own data: nodes with a label, edges with a type, constraints and indexes
// on a label or type, or with a name, that starts with _Graphrest, and edges at such nodes. It leaves out the list of
// property keys too, since the gateway's own keys are in it and cannot be distinguished; compare PropertyKeys for that.
func IgnoreInternal() ChecksumOption {
	return func(scope *checksumScope) { scope.ignoreInternal = true }
}

// Checksum is a digest of everything in the database: each node and edge with its element id, labels or type, ends and
// typed property values, the constraints and indexes, and the names of property keys that Neo4j keeps for good. Two
// equal checksums prove that what ran between them wrote nothing that lasted.
func (db *DB) Checksum(t testing.TB, options ...ChecksumOption) string {
	t.Helper()
	var scope checksumScope
	for _, option := range options {
		option(&scope)
	}
	var lines []string
	lines = append(lines, db.nodeLines(t, scope)...)
	lines = append(lines, db.edgeLines(t, scope)...)
	lines = append(lines, db.schemaLines(t, scope)...)
	if !scope.ignoreInternal {
		for _, key := range db.PropertyKeys(t) {
			lines = append(lines, fmt.Sprintf("key %q", key))
		}
	}
	slices.Sort(lines)
	digest := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(digest[:])
}

// PropertyKeys lists the names of property keys the database has ever seen, sorted.
func (db *DB) PropertyKeys(t testing.TB) []string {
	t.Helper()
	var keys []string
	for _, row := range db.Query(t, "CALL db.propertyKeys() YIELD propertyKey", nil) {
		keys = append(keys, row["propertyKey"].(string))
	}
	slices.Sort(keys)
	return keys
}

func (db *DB) nodeLines(t testing.TB, scope checksumScope) []string {
	t.Helper()
	var lines []string
	for _, record := range db.run(t, "MATCH (n) RETURN n", nil) {
		node := record.Values[0].(neo4j.Node)
		if scope.ignoreInternal && anyInternal(node.Labels...) {
			continue
		}
		labels := slices.Sorted(slices.Values(node.Labels))
		lines = append(lines, fmt.Sprintf("node %s %q %s", node.ElementId, labels, canonical(node.Props)))
	}
	return lines
}

func (db *DB) edgeLines(t testing.TB, scope checksumScope) []string {
	t.Helper()
	var lines []string
	for _, record := range db.run(t, "MATCH (a)-[r]->(b) RETURN r, labels(a) + labels(b)", nil) {
		edge := record.Values[0].(neo4j.Relationship)
		if scope.ignoreInternal {
			names := []string{edge.Type}
			for _, label := range record.Values[1].([]any) {
				names = append(names, label.(string))
			}
			if anyInternal(names...) {
				continue
			}
		}
		lines = append(lines, fmt.Sprintf("edge %s %q %s %s %s", edge.ElementId, edge.Type,
			edge.StartElementId, edge.EndElementId, canonical(edge.Props)))
	}
	return lines
}

func (db *DB) schemaLines(t testing.TB, scope checksumScope) []string {
	t.Helper()
	var lines []string
	for _, kind := range []string{"CONSTRAINTS", "INDEXES"} {
		columns := "name, type, entityType, labelsOrTypes, properties"
		if kind == "INDEXES" {
			columns += ", owningConstraint"
		}
		for _, row := range db.Query(t, "SHOW "+kind+" YIELD "+columns, nil) {
			names := []string{row["name"].(string)}
			if on, hasAny := row["labelsOrTypes"].([]any); hasAny {
				for _, name := range on {
					names = append(names, name.(string))
				}
			}
			if scope.ignoreInternal && anyInternal(names...) {
				continue
			}
			lines = append(lines, kind+" "+canonical(row))
		}
	}
	return lines
}

func anyInternal(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, internalPrefix) })
}

// canonical writes a value so that two different values never read alike: its Go type stands before it, and floats
// go by their bits, which tells NaN, -0.0 and 0.0 apart.
func canonical(value any) string {
	switch value := value.(type) {
	case map[string]any:
		var text strings.Builder
		for _, key := range slices.Sorted(maps.Keys(value)) {
			fmt.Fprintf(&text, "%q=%s;", key, canonical(value[key]))
		}
		return "{" + text.String() + "}"
	case []any:
		var text strings.Builder
		for _, item := range value {
			text.WriteString(canonical(item) + ",")
		}
		return "[" + text.String() + "]"
	case float64:
		return fmt.Sprintf("float:%016x", math.Float64bits(value))
	case string:
		return fmt.Sprintf("string:%q", value)
	case []byte:
		return fmt.Sprintf("bytes:%x", value)
	case time.Time:
		return fmt.Sprintf("time:%s %q", value.Format(time.RFC3339Nano), value.Location())
	case dbtype.Time:
		return "offset time:" + time.Time(value).Format("15:04:05.999999999Z07:00:00")
	case dbtype.LocalTime:
		return "local time:" + time.Time(value).Format("15:04:05.999999999")
	case dbtype.LocalDateTime:
		return "local date time:" + time.Time(value).Format("2006-01-02T15:04:05.999999999")
	case dbtype.Date:
		return "date:" + time.Time(value).Format("2006-01-02")
	case dbtype.Duration:
		return fmt.Sprintf("duration:%d %d %d %d", value.Months, value.Days, value.Seconds, value.Nanos)
	case dbtype.Point2D:
		return fmt.Sprintf("point:%d %s %s", value.SpatialRefId, canonical(value.X), canonical(value.Y))
	case dbtype.Point3D:
		return fmt.Sprintf("point:%d %s %s %s", value.SpatialRefId, canonical(value.X), canonical(value.Y), canonical(value.Z))
	default:
		return fmt.Sprintf("%T:%v", value, value)
	}
}
