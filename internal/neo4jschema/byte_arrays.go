package neo4jschema

import (
	"context"

	"graphrest/internal/bolt"
)

const (
	// maxByteListLength is the maximum length of a list of integers that is read to check whether it is a byte array.
	maxByteListLength = 50_000
	integerLists      = "List<Integer>"
	bytesType         = "Base64"
)

// markByteArrays distinguishes byte arrays from lists of integers, which have the same type in the database, in the properties of a type.
// It reads the smallest and the largest value of each: if byte arrays and lists are mixed, these are mostly one of each.
func (r *SchemaReader) markByteArrays(ctx context.Context, of sampledProperties, seen observedType) error {
	var names []string
	for key, property := range seen.properties {
		if property.types[integerLists] {
			names = append(names, key)
		}
	}
	if len(names) == 0 {
		return nil
	}
	rows, err := r.client.ReadRows(ctx, statementsOf[of.kind].lists.Text(of.slots()), of.addParams(map[string]any{
		"names": names, "limit": of.limit, "max_length": maxByteListLength,
	}))
	for _, row := range rows {
		types := seen.properties[bolt.Column[string](row, "name")].types
		lists := bolt.Column[int64](row, "longer") > 0
		for _, end := range []string{"min", "max"} {
			switch value, _ := row.Get(end); value.(type) {
			case []byte:
				types[bytesType] = true
			case []any:
				lists = true
			}
		}
		if !lists {
			delete(types, integerLists)
		}
	}
	return err
}
