package graph

import (
	"strings"

	"graphrest/internal/fault"
)

// Side is an end of an edge. Conditions and sort keys of edges may be on a property of the node there; the zero value is the listed entity
// itself.
type Side string

// The ends of an edge.
const (
	SourceSide Side = "source"
	TargetSide Side = "target"
)

// The prefixes of names in filters and sorts of edges. A name without one is a property of the edge. The prefix of edges is needed only
// where a property of theirs begins like the name of an end's, and means nothing elsewhere, so that every name can be written.
const (
	sourcePrefix = string(SourceSide) + ":"
	targetPrefix = string(TargetSide) + ":"
	edgePrefix   = "edge:"
)

// parseSide splits a name in a filter or sort of edges: source:<property> and target:<property> are properties of the ends, all others of
// the edge.
func parseSide(field, name string) (Side, string, *fault.Error) {
	side, property := Side(""), name
	for _, of := range []Side{SourceSide, TargetSide} {
		if rest, is := strings.CutPrefix(name, string(of)+":"); is {
			side, property = of, rest
		}
	}
	if rest, is := strings.CutPrefix(name, edgePrefix); is && namesSide(rest) {
		property = rest
	}
	return side, property, CheckPropertyName(field, property)
}

// ParseOwnProperty parses the name of a property of edges where those of the ends are not allowed.
func ParseOwnProperty(field, name string) (string, *fault.Error) {
	side, property, f := parseSide(field, name)
	if f == nil && side != "" {
		f = fault.Invalid(field, "must be a property of the edges: only filter and sort know those of the ends; "+
			"a property of the edges with this name is written edge:%s", name)
	}
	return property, f
}

// ownProperty is parseSide for lists without ends: the name is the property's.
func ownProperty(field, name string) (Side, string, *fault.Error) {
	return "", name, CheckPropertyName(field, name)
}

// namesSide reports whether a property of edges needs the prefix of edges.
func namesSide(name string) bool {
	for {
		rest, is := strings.CutPrefix(name, edgePrefix)
		if !is {
			return strings.HasPrefix(name, sourcePrefix) || strings.HasPrefix(name, targetPrefix)
		}
		name = rest
	}
}

// EdgePropertyName is the name in filters and sorts of edges of a property of the edge or of one of its ends.
func EdgePropertyName(side Side, property string) string {
	switch {
	case side != "":
		return string(side) + ":" + property
	case namesSide(property):
		return edgePrefix + property
	default:
		return property
	}
}
