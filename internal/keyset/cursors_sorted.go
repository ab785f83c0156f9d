package keyset

import (
	"encoding/binary"
	"math"
	"strconv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// SortedPosition is where a page of a sorted list ended: the columns of cypher.Order of its last entity, as the statement returned them,
// and what distinguishes entities with the same columns.
type SortedPosition struct {
	Query     uint32
	Key       string // the entity's own id, or empty
	ElementID string
	Ties      int   // how many entities up to this one have at least the same first sort key
	Columns   []any // r0, d0, r1, d1, ...: int64, float64, bool, string, and lists of these
}

const sortedPositionVersion = 3

// Encode encodes a position in the form that a client receives:
//
//	version | fingerprint, 4 bytes | columns, a list | key, a text | element id, a text | ties, an integer
//
// Values are a tag and its content: see appendColumn.
func (p SortedPosition) Encode() graph.Position {
	out := binary.BigEndian.AppendUint32([]byte{sortedPositionVersion}, p.Query)
	out = appendColumn(out, p.Columns)
	out = appendColumn(out, p.Key)
	out = appendColumn(out, p.ElementID)
	return appendColumn(out, int64(p.Ties))
}

const (
	tagInteger = 'i' // varint
	tagFloat   = 'f' // 8 bytes
	tagFalse   = 'n'
	tagTrue    = 'y'
	tagText    = 't' // length as uvarint, bytes
	tagList    = 'l' // length as uvarint, elements
)

func appendColumn(out []byte, v any) []byte {
	switch v := v.(type) {
	case int64:
		return binary.AppendVarint(append(out, tagInteger), v)
	case float64:
		return binary.BigEndian.AppendUint64(append(out, tagFloat), math.Float64bits(v))
	case bool:
		if v {
			return append(out, tagTrue)
		}
		return append(out, tagFalse)
	case string:
		return append(binary.AppendUvarint(append(out, tagText), uint64(len(v))), v...)
	case []any:
		out = binary.AppendUvarint(append(out, tagList), uint64(len(v)))
		for _, e := range v {
			out = appendColumn(out, e)
		}
	}
	return out
}

// DecodeSortedPosition decodes a position; nil returns nil. Its faults are those of decodePosition.
func DecodeSortedPosition(position graph.Position, query uint32, keys int) (*SortedPosition, error) {
	if position == nil {
		return nil, nil
	}
	malformed := fault.Invalid("cursor", "is not a cursor of this service")
	if len(position) < 5 || position[0] != sortedPositionVersion {
		if len(position) > 0 && position[0] == sortedPositionVersion-1 {
			return nil, fault.Invalid("cursor", "was created by an earlier version of this service; start again from the first page")
		}
		return nil, malformed
	}
	p := &SortedPosition{Query: binary.BigEndian.Uint32(position[1:5])}
	r := columnReader{rest: position[5:], valid: true}
	columns, isList := r.column(0).([]any)
	key, hasKey := r.column(0).(string)
	elementID, hasElement := r.column(0).(string)
	ties, hasTies := r.column(0).(int64)
	if !r.valid || !isList || !hasKey || !hasElement || !hasTies || ties < 0 || ties > math.MaxInt32 || len(r.rest) > 0 {
		return nil, malformed
	}
	if _, err := NumberOf(elementID); err != nil {
		return nil, malformed
	}
	if p.Query != query || len(columns) != 2*keys {
		return nil, fault.Invalid("cursor", "belongs to another query")
	}
	p.Columns, p.Key, p.ElementID, p.Ties = columns, key, elementID, int(ties)
	return p, nil
}

// columnReader decodes what appendColumn encoded. valid becomes false at the first error.
type columnReader struct {
	rest  []byte
	valid bool
}

// maxColumnDepth is the maximum nesting of lists: the columns, one column, a member of a list, its parts.
const maxColumnDepth = 4

func (r *columnReader) column(depth int) any {
	if len(r.rest) == 0 || depth > maxColumnDepth {
		r.valid = false
		return nil
	}
	tag := r.rest[0]
	r.rest = r.rest[1:]
	switch tag {
	case tagFalse, tagTrue:
		return tag == tagTrue
	case tagInteger:
		n, size := binary.Varint(r.rest)
		r.skip(size)
		return n
	case tagFloat:
		if len(r.rest) < 8 {
			r.valid = false
			return nil
		}
		f := math.Float64frombits(binary.BigEndian.Uint64(r.rest))
		r.skip(8)
		return f
	case tagText:
		n := r.length()
		text := string(r.rest[:n])
		r.rest = r.rest[n:]
		return text
	case tagList:
		list := []any{}
		for range r.length() {
			if !r.valid {
				break
			}
			list = append(list, r.column(depth+1))
		}
		return list
	}
	r.valid = false
	return nil
}

// skip advances by size bytes; a size of zero or less is an error.
func (r *columnReader) skip(size int) {
	if size <= 0 {
		r.valid = false
		return
	}
	r.rest = r.rest[size:]
}

// length decodes a length, which is at most the number of remaining bytes.
func (r *columnReader) length() int {
	n, size := binary.Uvarint(r.rest)
	r.skip(size)
	if !r.valid || n > uint64(len(r.rest)) {
		r.valid = false
		return 0
	}
	return int(n)
}

// Parameter is the position as a parameter of the statements; nil begins with the first entity.
func (p *SortedPosition) Parameter() any {
	if p == nil {
		return nil // the driver would send a nil map as an empty map
	}
	number, _ := NumberOf(p.ElementID)
	columns := map[string]any{"own": p.Key != "", "key": p.Key, "number": int64(number)}
	for i, value := range p.Columns {
		name := "r"
		if i%2 == 1 {
			name = "d"
		}
		columns[name+strconv.Itoa(i/2)] = value
	}
	return columns
}
