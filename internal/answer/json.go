package answer

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"graphrest/internal/typedjson"
)

// AppendData appends {"columns","rows","nodes","edges"}.
func AppendData(dst []byte, a *Answer) []byte {
	dst = append(AppendColumns(append(dst, `{"columns":`...), a.Columns), `,"rows":`...)
	dst = append(typedjson.AppendList(dst, a.Rows, AppendRow), `,"nodes":`...)
	dst = append(typedjson.AppendList(dst, a.Nodes, typedjson.AppendNode), `,"edges":`...)
	return append(typedjson.AppendList(dst, a.Edges, typedjson.AppendEdge), '}')
}

// AppendColumns appends an array of {"name","types"}.
func AppendColumns(dst []byte, columns []Column) []byte {
	return typedjson.AppendList(dst, columns, func(dst []byte, c *Column) []byte {
		dst = typedjson.AppendString(append(dst, `{"name":`...), c.Name)
		dst = typedjson.AppendList(append(dst, `,"types":`...), c.Types, func(dst []byte, name *string) []byte {
			return typedjson.AppendString(dst, *name)
		})
		return append(dst, '}')
	})
}

// AppendRow appends the array of a row's cells.
func AppendRow(dst []byte, row *Row) []byte { return appendCells(dst, *row) }

// AppendLine appends a row as a line of NDJSON: an object with the columns' names as its members, in their order.
func AppendLine(dst []byte, columns []Column, row Row) []byte {
	dst = append(dst, '{')
	for i, cell := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(typedjson.AppendString(dst, columns[i].Name), ':')
		dst = AppendCell(dst, cell)
	}
	return append(dst, "}\n"...)
}

// AppendMeta appends the members of meta, each after a comma: "truncated" unless the answer is whole, "elapsed_ms", "version" of a saved
// query, and "page".
func AppendMeta(dst []byte, m *Meta) []byte {
	if m.Truncated != Whole {
		dst = append(append(append(dst, `,"truncated":"`...), m.Truncated...), '"')
	}
	dst = append(dst, `,"elapsed_ms":`...)
	dst = strconv.AppendFloat(dst, float64(m.Elapsed.Round(time.Microsecond))/float64(time.Millisecond), 'f', -1, 64)
	if m.Version > 0 {
		dst = strconv.AppendInt(append(dst, `,"version":`...), m.Version, 10)
	}
	if p := m.Page; p != nil {
		dst = strconv.AppendInt(append(dst, `,"page":{"limit":`...), p.Limit, 10)
		dst = strconv.AppendInt(append(dst, `,"offset":`...), p.Offset, 10)
		dst = append(strconv.AppendBool(append(dst, `,"has_more":`...), p.HasMore), '}')
	}
	return dst
}

// AppendCell appends a cell. A node is {"$node":id}, an edge {"$edge":id}, a path {"$path":[ids]}; a map with a key that begins with "$",
// which could be taken for one of these or for a typed value, is {"$type":"Map","_value":{..}}.
func AppendCell(dst []byte, c Cell) []byte {
	switch c := c.(type) {
	case NodeID:
		return append(typedjson.AppendString(append(dst, `{"$node":`...), string(c)), '}')
	case EdgeID:
		return append(typedjson.AppendString(append(dst, `{"$edge":`...), string(c)), '}')
	case Path:
		dst = typedjson.AppendList(append(dst, `{"$path":`...), c, func(dst []byte, id *string) []byte {
			return typedjson.AppendString(dst, *id)
		})
		return append(dst, '}')
	case Unsupported:
		return append(typedjson.AppendString(append(dst, `{"$type":"Unsupported","_value":`...), string(c)), '}')
	case Map:
		return appendMap(dst, c)
	case []Cell:
		return appendCells(dst, c)
	}
	return typedjson.AppendValue(dst, c)
}

func appendCells(dst []byte, cells []Cell) []byte {
	return typedjson.AppendList(dst, cells, func(dst []byte, c *Cell) []byte { return AppendCell(dst, *c) })
}

func appendMap(dst []byte, m Map) []byte {
	keys := slices.Sorted(maps.Keys(m))
	tagged := slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(key, "$") })
	if tagged {
		dst = append(dst, `{"$type":"Map","_value":`...)
	}
	dst = append(dst, '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(typedjson.AppendString(dst, key), ':')
		dst = AppendCell(dst, m[key])
	}
	if tagged {
		dst = append(dst, '}')
	}
	return append(dst, '}')
}
