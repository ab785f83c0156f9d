package graph

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"graphrest/internal/fault"
)

// BatchStore applies several operations in one transaction.
type BatchStore interface {
	// Apply applies operations in order, all or none. Its error has the code of the first operation that failed, with the codes of the
	// single calls of NodeStore and EdgeStore, and details whose fields begin with OperationField. VALIDATION_ERRORs that do not depend
	// on the order of the operations are reported together. CONFLICT also if the operations would delete more edges with their nodes
	// than MaxBatchEdges. Refs must have passed CheckRefs.
	// After an error nothing is changed. As with a single create, new types may keep their id constraints and new names are never freed.
	// If the commit could not be confirmed before the deadline, its outcome is unknown and the error is a DATABASE_UNAVAILABLE that
	// reports it; operations are never applied twice.
	Apply(ctx context.Context, operations []Operation, o BatchOptions) (BatchOutcome, error)
}

// MaxBatchEdges is how many edges the operations of one batch may delete together with nodes: they are all in one transaction.
const MaxBatchEdges = 10_000

// TooManyBatchEdges is the fault of the operation with which a batch would exceed MaxBatchEdges.
func TooManyBatchEdges() error {
	return fault.New(fault.Conflict, "The batch would delete too many edges together with nodes", fault.Detail{
		Field:   "id",
		Message: "one batch may delete " + strconv.Itoa(MaxBatchEdges) + " edges together with nodes; delete the node in a separate request",
	})
}

// BatchOptions are the options of a batch.
type BatchOptions struct {
	// DryRun applies the operations in a transaction that is rolled back. It ignores Key. It leaves only what a database keeps of a
	// transaction that is rolled back: new names.
	DryRun bool
	// Key makes a repeated batch return the outcome of the first one; nil without the header. IDEMPOTENCY_KEY_REUSED.
	Key *IdempotencyKey
}

// BatchOutcome is the outcome of a batch. It has one result for each operation, in their order.
type BatchOutcome struct {
	Results  []OperationResult
	Replayed bool // an earlier batch with the same Idempotency-Key was applied; entities are as they are now
}

// OperationName names what an operation does.
type OperationName string

// The operations of a batch.
const (
	OpCreateNode OperationName = "create_node"
	OpCreateEdge OperationName = "create_edge"
	OpUpdateNode OperationName = "update_node"
	OpUpdateEdge OperationName = "update_edge"
	OpDeleteNode OperationName = "delete_node"
	OpDeleteEdge OperationName = "delete_edge"
)

// OperationNames lists them.
func OperationNames() []OperationName {
	return []OperationName{OpCreateNode, OpCreateEdge, OpUpdateNode, OpUpdateEdge, OpDeleteNode, OpDeleteEdge}
}

// Kind is the kind of entity that the operation creates, updates or deletes.
func (n OperationName) Kind() Kind {
	switch n {
	case OpCreateEdge, OpUpdateEdge, OpDeleteEdge:
		return EdgeKind
	default:
		return NodeKind
	}
}

// Creates reports whether the operation creates an entity.
func (n OperationName) Creates() bool { return n == OpCreateNode || n == OpCreateEdge }

// Deletes reports whether the operation deletes an entity.
func (n OperationName) Deletes() bool { return n == OpDeleteNode || n == OpDeleteEdge }

// Operation is one change of a batch. Which fields are used depends on Op.
type Operation struct {
	Op OperationName

	// Of creates. Ref is a name by which later operations may refer to the new entity; empty for none. ID is the id to give it; empty
	// generates one. A node has the label Type and those of Labels, which do not contain Type.
	Ref    string
	ID     string
	Type   TypeName
	Labels []TypeName
	Source EntityRef // of an edge
	Target EntityRef

	// Of updates and deletes: the entity, and the rules of Change and Removal.
	Entity    EntityRef
	If        Precondition
	Unchanged []string
	Detach    *bool

	Properties Properties // of creates and updates
}

// AllLabels are the labels of a node to create. One without a type has none.
func (o Operation) AllLabels() []string {
	labels := []string{}
	if o.Type != "" {
		labels = append(labels, string(o.Type))
	}
	for _, label := range o.Labels {
		labels = append(labels, string(label))
	}
	return labels
}

// EntityRef identifies an entity by an id or element id, or by the ref of an earlier operation of the same batch. Exactly one is set.
type EntityRef struct{ ID, Ref string }

// OperationResult is the result of one operation.
type OperationResult struct {
	Op  OperationName
	ID  string
	Ref string // of the operation
	// Node and Edge are the entity after a create or an update, of the operation's kind; nil after a delete, and of a replayed batch if
	// the entity has been deleted since.
	Node         *Node
	Edge         *Edge
	DeletedEdges int64 // of a deleted node
}

// OperationField is the name of an operation's field in a fault: operations[3].id, or operations[3] for the operation itself.
func OperationField(index int, field string) string {
	name := operationPrefix + strconv.Itoa(index) + "]"
	if field == "" {
		return name
	}
	return name + "." + field
}

// OperationFault is the fault of a batch that failed because of one operation: with the fields of the batch. A fault without details gets
// one.
func OperationFault(index int, op OperationName, err error) *fault.Error {
	f := fault.As(err)
	if f.Code.OfDatabase() {
		return f
	}
	return fault.Wrap(err, f.Code, f.Message, operationDetails(index, op, f)...).RetryAfter(f.After)
}

func operationDetails(index int, op OperationName, f *fault.Error) []fault.Detail {
	if len(f.Details) == 0 {
		field := "id"
		switch {
		case f.Code == fault.PermissionDenied:
			field = "op"
		case f.Code == fault.Conflict && !op.Deletes():
			field = "properties"
		}
		return []fault.Detail{{Field: OperationField(index, field), Message: f.Message}}
	}
	details := make([]fault.Detail, len(f.Details))
	for i, d := range f.Details {
		if d.Field == "If-Match" {
			d.Field = "if_match"
		}
		details[i] = fault.Detail{Field: OperationField(index, d.Field), Message: d.Message}
	}
	return details
}

// CutOperationField returns the index of one of count operations and the field that a name made by OperationField has; false for any other
// name.
func CutOperationField(name string, count int) (index int, field string, ok bool) {
	rest, ok := strings.CutPrefix(name, operationPrefix)
	if !ok {
		return 0, "", false
	}
	number, rest, ok := strings.Cut(rest, "]")
	if !ok {
		return 0, "", false
	}
	index, err := strconv.Atoi(number)
	if err != nil || index < 0 || index >= count {
		return 0, "", false
	}
	return index, strings.TrimPrefix(rest, "."), true
}

const operationPrefix = "operations["

// WithoutPreconditions returns operations whose preconditions are those of nothing, so that they are not compared.
func WithoutPreconditions(operations []Operation) []Operation {
	without := slices.Clone(operations)
	for i := range without {
		without[i].If = Precondition{}
	}
	return without
}

// CheckRefs checks that every ref is defined once, and used only after its definition and for its kind of entity. It returns one
// VALIDATION_ERROR for each problem.
func CheckRefs(operations []Operation) []*fault.Error {
	var faults []*fault.Error
	defined := map[string]int{}
	use := func(i int, field string, ref string, k Kind) {
		if ref == "" {
			return
		}
		at, known := defined[ref]
		switch {
		case !known:
			faults = append(faults, fault.Invalid(OperationField(i, field), "no earlier operation creates an entity with this ref"))
		case operations[at].Op.Kind() != k:
			faults = append(faults, fault.Invalid(OperationField(i, field), "must be the ref of %s, and operations[%d] creates %s",
				withArticle(k), at, withArticle(operations[at].Op.Kind())))
		}
	}
	for i, o := range operations {
		use(i, "source_id", o.Source.Ref, NodeKind)
		use(i, "target_id", o.Target.Ref, NodeKind)
		use(i, "id", o.Entity.Ref, o.Op.Kind())
		if o.Ref == "" {
			continue
		}
		if at, taken := defined[o.Ref]; taken {
			faults = append(faults, fault.Invalid(OperationField(i, "ref"), "is the ref of operations[%d] already", at))
			continue
		}
		defined[o.Ref] = i
	}
	return faults
}

func withArticle(k Kind) string {
	if k == EdgeKind {
		return "an edge"
	}
	return "a node"
}
