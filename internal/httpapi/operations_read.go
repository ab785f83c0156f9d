package httpapi

import (
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// readOperations reads the member "operations". Every problem of every operation is recorded.
func (c *call) readOperations(o *typedjson.Object) []graph.Operation {
	operations := c.readOperationsOfAnyID(o)
	o.Add(c.idProblems(operations)...)
	return operations
}

// idProblems are those of the id property in new entities.
func (c *call) idProblems(operations []graph.Operation) (problems []*fault.Error) {
	for i, op := range operations {
		if !op.Op.Creates() {
			continue
		}
		if f := graph.CheckNoID(op.Properties, c.api.options.IDProperty); f != nil {
			problems = append(problems, fault.Invalid(graph.OperationField(i, f.Details[0].Field), "%s", f.Details[0].Message))
		}
	}
	return problems
}

// readOperationsOfAnyID is readOperations without the problems of the id property. The store that applies the operations finds those
// together with what only it can find.
func (c *call) readOperationsOfAnyID(o *typedjson.Object) []graph.Operation {
	objects := o.Objects("operations")
	if o.Has("operations") && (len(objects) == 0 || len(objects) > c.api.options.MaxBatch) {
		o.Invalid("operations", "must be an array of 1 to %d operations", c.api.options.MaxBatch)
		return nil
	}
	operations := make([]graph.Operation, len(objects))
	for i, object := range objects {
		if object != nil {
			operations[i] = c.readOperation(object)
			o.FinishNested(object)
		}
	}
	for _, f := range graph.CheckRefs(operations) {
		o.Add(f)
	}
	return operations
}

func (c *call) readOperation(o *typedjson.Object) graph.Operation {
	op := graph.Operation{Op: graph.OperationName(o.String("op"))}
	switch op.Op {
	case graph.OpCreateNode:
		op.Ref, op.Type = readRefMember(o), readTypeMember(o)
		op.Labels = readLabelsMember(o, op.Type)
		op.Properties = o.NewProperties("properties", true, c.api.options.Limits)
	case graph.OpCreateEdge:
		op.Ref, op.Type = readRefMember(o), readTypeMember(o)
		op.Source, op.Target = readEntityMember(o, "source_id"), readEntityMember(o, "target_id")
		op.Properties = o.NewProperties("properties", false, c.api.options.Limits)
	case graph.OpUpdateNode, graph.OpUpdateEdge:
		op.Entity, op.If = readEntityMember(o, "id"), readIfMatchMember(o)
		op.Properties, op.Unchanged = o.ChangedProperties("properties", c.api.options.Limits)
	case graph.OpDeleteNode, graph.OpDeleteEdge:
		op.Entity, op.If = readEntityMember(o, "id"), readIfMatchMember(o)
		if detach, given := o.OptionalBool("detach"); given {
			op.Detach = &detach
		}
	default:
		if o.Has("op") {
			o.Invalid("op", "must be %s", joinOperationNames())
		}
		o.IgnoreUnknown() // which members are known depends on op
	}
	return op
}

func joinOperationNames() string {
	names := mapSlice(graph.OperationNames(), func(n graph.OperationName) string { return string(n) })
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// readRefMember reads the name by which later operations refer to a new entity; empty if it is absent.
func readRefMember(o *typedjson.Object) string {
	ref, given := o.OptionalString("ref")
	if given {
		checkRef(o, "ref", ref)
	}
	return ref
}

func checkRef(o *typedjson.Object, field, ref string) {
	switch {
	case ref == "":
		o.Invalid(field, "must not be empty")
	case len(ref) > graph.MaxBulkID:
		o.Invalid(field, "must be at most %d bytes long", graph.MaxBulkID)
	}
}

// readEntityMember reads an id, or {"ref": name}.
func readEntityMember(o *typedjson.Object, name string) graph.EntityRef {
	if nested := o.Object(name); nested != nil {
		ref := nested.String("ref")
		if nested.Has("ref") {
			checkRef(nested, "ref", ref)
		}
		o.FinishNested(nested)
		return graph.EntityRef{Ref: ref}
	}
	return graph.EntityRef{ID: readEndMember(o, name)}
}

// readLabelsMember reads the labels of a new node, without its type. They may repeat it, as in the answer of a read.
func readLabelsMember(o *typedjson.Object, typ graph.TypeName) []graph.TypeName {
	names, _ := o.OptionalStrings("labels")
	var labels []graph.TypeName
	for _, name := range names {
		label, f := graph.ParseTypeName("labels", name)
		o.Add(f)
		if f == nil && label != typ && !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	checkLabels(o, 1+len(labels))
	return labels
}

// checkLabels rejects a new node with too many labels.
func checkLabels(o *typedjson.Object, count int) {
	if count > graph.MaxLabels {
		o.Invalid("labels", "must have at most %d names, with the type", graph.MaxLabels)
	}
}

// readIfMatchMember reads the member "if_match": the value of an If-Match header, or an ETag without its quotes.
func readIfMatchMember(o *typedjson.Object) graph.Precondition {
	text, given := o.OptionalString("if_match")
	if !given {
		return graph.Precondition{}
	}
	p, ok := parseIfMatch([]string{text})
	if !ok && text != "" && visibleASCII(text) && !strings.ContainsAny(text, `",*`) {
		p, ok = graph.Precondition{Revisions: []graph.Revision{revisionOf(strings.TrimPrefix(text, weakPrefix))}}, true
	}
	if !ok {
		o.Invalid("if_match", `must be an ETag, several of them with commas between, or "*"`)
	}
	return p
}
