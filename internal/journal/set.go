package journal

import (
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// EncodeSet is the stored form of what an update set: one JSON object in the forms of the API, with null for removed keys.
func EncodeSet(p graph.Properties) string { return string(typedjson.AppendProperties(nil, p)) }

// DecodeSet is the reverse of EncodeSet. Limits on new data do not apply. INTERNAL: the text is not one of EncodeSet.
func DecodeSet(text string) (graph.Properties, error) {
	p, faults := typedjson.DecodeProperties("set", []byte(text))
	if p == nil {
		for _, f := range faults {
			return nil, fault.Wrap(f, fault.Internal, "Internal error")
		}
	}
	return p, nil
}
