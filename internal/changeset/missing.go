package changeset

import (
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// MissingConflicts are the conflicts of an operation that failed because an entity or an end does not exist.
func MissingConflicts(operation int, o graph.Operation, err error) (conflicts []Conflict) {
	f := fault.As(err)
	if f.Code == fault.NotFound {
		return []Conflict{*Missing(operation, o)}
	}
	for _, d := range f.Details {
		c := Conflict{Operation: operation, ID: o.Entity.ID, Message: d.Message}
		switch d.Field {
		case "source_id":
			c.ID = o.Source.ID
		case "target_id":
			c.ID = o.Target.ID
		}
		conflicts = append(conflicts, c)
	}
	if len(conflicts) == 0 {
		conflicts = []Conflict{{Operation: operation, ID: o.Entity.ID, Message: f.Message}}
	}
	return conflicts
}
