package changeset

import (
	"errors"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// hiddenPart is the detail for everything that a reader does not see: it names neither the operation nor what is wrong with it.
var hiddenPart = fault.Detail{
	Field:   "operations",
	Message: "include one that this user does not see, and that this user may not or cannot apply",
}

// HideParts returns the error of operations that cannot be approved, rejected or applied as their diff's reader may know it. If the diff
// does not show all operations, one answer stands for all failures, so that it does not show which operation failed first, and why. If it
// does, the details are removed that name something else. An error without details is about the change set and stays; one that passes by
// itself keeps its code.
func HideParts(err error, operations []graph.Operation, shown Diff) error {
	f := fault.As(err)
	if f == nil || len(f.Details) == 0 {
		return err
	}
	parts := shownParts{operations, shown}
	if f.After == 0 && !parts.showAll() {
		return fault.Wrap(f, fault.PermissionDenied, // not the ConflictError, which has the conflicts
			"Permission denied: not all operations are allowed to this user, or they cannot be applied", hiddenPart)
	}
	details := slices.DeleteFunc(slices.Clone(f.Details), func(d fault.Detail) bool { return !parts.shows(d.Field) })
	if len(details) == len(f.Details) {
		return err
	}
	message := f.Message
	if len(details) == 0 {
		message = "The change set cannot be applied by this user"
	}
	visible := fault.Wrap(err, f.Code, message, append(details, hiddenPart)...).RetryAfter(f.After)
	var e *ConflictError
	if !errors.As(err, &e) {
		return visible
	}
	kept := slices.DeleteFunc(slices.Clone(e.Conflicts), func(c Conflict) bool { return !parts.shows(c.Field()) })
	return &ConflictError{Conflicts: kept, Fault: visible}
}

// shownParts are the operations of which a diff shows something.
type shownParts struct {
	operations []graph.Operation
	diff       Diff
}

// showAll reports whether the diff shows the entity of each operation, and each property that it writes. A removed property that neither
// state has may be hidden.
func (p shownParts) showAll() bool {
	for n, o := range p.operations {
		if !p.shows(graph.OperationField(n, "")) {
			return false
		}
		for name := range o.Properties {
			if !p.shows(graph.OperationField(n, graph.FieldPath("properties", name))) {
				return false
			}
		}
	}
	return true
}

// shows reports whether the diff shows what a field of an error is about: the entity of the operation, and the property if it is one.
func (p shownParts) shows(field string) bool {
	n, member, ok := graph.CutOperationField(field, len(p.operations))
	if !ok {
		return false
	}
	e := p.entity(n)
	if e == nil {
		return false
	}
	if !strings.HasPrefix(member, "properties") {
		return true
	}
	for _, s := range []*State{e.Before, e.After} {
		if s == nil {
			continue
		}
		for name := range s.Properties {
			if path := graph.FieldPath("properties", name); member == path || strings.HasPrefix(member, path+"[") {
				return true
			}
		}
	}
	return false
}

// entity returns the entity of an operation in the diff; nil if the diff does not show it.
func (p shownParts) entity(n int) *Entity {
	key := KeyOfOperation(p.operations[n], n)
	for _, e := range p.diff.Entities {
		if e.Key() == key && (e.Before != nil || e.After != nil) {
			return e
		}
	}
	return nil
}
