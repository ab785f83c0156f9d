package typedjson

import (
	"strings"

	"graphrest/internal/graph"
)

// AppendOperations appends operations as an array in the form of POST /api/batch. Reading it gives the same operations: values keep their
// types, and a key that an update removes is null.
func AppendOperations(dst []byte, operations []graph.Operation) []byte {
	return AppendList(dst, operations, appendOperation)
}

// AppendList appends an array, each item by a function that appends one.
func AppendList[T any](dst []byte, items []T, one func([]byte, *T) []byte) []byte {
	dst = append(dst, '[')
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, &items[i])
	}
	return append(dst, ']')
}

// AppendNullable appends a text; null if it is empty.
func AppendNullable(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, "null"...)
	}
	return AppendString(dst, text)
}

func appendOperation(dst []byte, o *graph.Operation) []byte {
	dst = AppendString(append(dst, `{"op":`...), string(o.Op))
	if o.Op.Creates() {
		dst = appendCreated(dst, o)
	} else {
		dst = AppendEntityRef(append(dst, `,"id":`...), o.Entity)
		if o.If.Present() {
			dst = AppendString(append(dst, `,"if_match":`...), preconditionText(o.If))
		}
	}
	if o.Detach != nil {
		dst = AppendValue(append(dst, `,"detach":`...), *o.Detach)
	}
	if o.Op != graph.OpDeleteNode && o.Op != graph.OpDeleteEdge {
		dst = AppendProperties(append(dst, `,"properties":`...), o.Properties)
	}
	return append(dst, '}')
}

// appendCreated appends the members of a create besides its properties.
func appendCreated(dst []byte, o *graph.Operation) []byte {
	if o.Ref != "" {
		dst = AppendString(append(dst, `,"ref":`...), o.Ref)
	}
	dst = AppendString(append(dst, `,"type":`...), string(o.Type))
	if o.Op == graph.OpCreateEdge {
		dst = AppendEntityRef(append(dst, `,"source_id":`...), o.Source)
		return AppendEntityRef(append(dst, `,"target_id":`...), o.Target)
	}
	for i, label := range o.Labels {
		separator := `,`
		if i == 0 {
			separator = `,"labels":[`
		}
		dst = AppendString(append(dst, separator...), string(label))
	}
	if len(o.Labels) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// AppendEntityRef appends an id, or {"ref": name}.
func AppendEntityRef(dst []byte, r graph.EntityRef) []byte {
	if r.Ref == "" {
		return AppendString(dst, r.ID)
	}
	return append(AppendString(append(dst, `{"ref":`...), r.Ref), '}')
}

// preconditionText is a precondition as the value of an If-Match header. One that nothing meets is the empty tag,
// which no content has.
func preconditionText(p graph.Precondition) string {
	if p.Any {
		return "*"
	}
	tags := make([]string, len(p.Revisions))
	for i, r := range p.Revisions {
		tags[i] = `"` + string(r) + `"`
	}
	if len(tags) == 0 {
		return `""`
	}
	return strings.Join(tags, ", ")
}
