package bolt

import (
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"
)

// Record is a row of a statement, as the driver returns it.
type Record = neo4j.Record

// Date is a DATE as the driver returns it.
type Date = dbtype.Date

// Node, Relationship and Path are entities as the driver returns them, InvalidValue what it cannot decode.
type (
	Node         = dbtype.Node
	Relationship = dbtype.Relationship
	Path         = dbtype.Path
	InvalidValue = dbtype.InvalidValue
)

// OriginalType is the type of a value that the database sends as a map, because the driver's version of the protocol has no form for it:
// VECTOR(3, FLOAT32), UUID. False for any other map.
func OriginalType(m map[string]any) (name string, unknown bool) {
	name, isText := m["originalType"].(string)
	_, reason := m["reason"].(string)
	return name, isText && reason && len(m) == 2
}

// Column is a record's value by name; the zero value if it is null.
func Column[T any](record *Record, name string) T {
	value, _ := record.Get(name)
	typed, _ := value.(T)
	return typed
}

// TextColumn is a list of strings; null (a look-up index has no types) is an empty list.
func TextColumn(row *Record, name string) []string {
	list := Column[[]any](row, name)
	texts := make([]string, len(list))
	for i, each := range list {
		texts[i], _ = each.(string)
	}
	return texts
}

// AsText is a string; empty if the value is none.
func AsText(value any) string {
	s, _ := value.(string)
	return s
}

// AsTime is a stored time: an integer of milliseconds since 1970, which is 0 if the value is none.
func AsTime(value any) time.Time {
	ms, _ := value.(int64)
	return time.UnixMilli(ms).UTC()
}

// AsList is a list; nil if the value is none.
func AsList(value any) []any {
	l, _ := value.([]any)
	return l
}

// AsTexts is a list of strings.
func AsTexts(list []any) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i], _ = list[i].(string)
	}
	return out
}

// SingleInteger returns the integer of a result of one row.
func SingleInteger(rows []*Record, column string) (int64, error) {
	if len(rows) == 1 {
		if n, isInteger := rows[0].AsMap()[column].(int64); isInteger {
			return n, nil
		}
	}
	return 0, fmt.Errorf("the database answered without an integer %q", column)
}
