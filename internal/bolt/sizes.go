package bolt

import "github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

// Sizes in memory: of an interface with a number, of a string's header, of a map's entry besides its key and value.
const (
	scalarBytes = 24
	headerBytes = 16
	entryBytes  = 32
)

// sizeOf is approximately how many bytes of memory a value of the driver takes.
func sizeOf(v any) int64 {
	switch v := v.(type) {
	case nil, bool, int64, float64:
		return scalarBytes
	case string:
		return headerBytes + int64(len(v))
	case []byte:
		return scalarBytes + int64(len(v))
	case []any:
		size := int64(scalarBytes)
		for _, e := range v {
			size += headerBytes + sizeOf(e)
		}
		return size
	case map[string]any:
		size := int64(scalarBytes)
		for key, value := range v {
			size += entryBytes + int64(len(key)) + sizeOf(value)
		}
		return size
	case dbtype.Node:
		return sizeOf(v.Props) + int64(headerBytes*len(v.Labels)+len(v.ElementId))
	case dbtype.Relationship:
		return sizeOf(v.Props) + int64(len(v.Type)+len(v.ElementId)+len(v.StartElementId)+len(v.EndElementId))
	case dbtype.Path:
		size := int64(scalarBytes)
		for _, n := range v.Nodes {
			size += sizeOf(n)
		}
		for _, r := range v.Relationships {
			size += sizeOf(r)
		}
		return size
	case dbtype.Point3D, dbtype.Duration:
		return 2 * scalarBytes
	default:
		return scalarBytes + headerBytes
	}
}

// SizeOfRow is the size of all values of a record, or of a row in a list.
func SizeOfRow(values []any) int64 {
	size := int64(0)
	for _, v := range values {
		size += sizeOf(v)
	}
	return size
}
