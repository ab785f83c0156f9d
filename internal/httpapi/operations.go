package httpapi

import (
	"net/http"
	"strconv"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// operationsPerRequest is how many operations of a batch count as one request for the rate limit.
const operationsPerRequest = 100

// applyBatch answers POST /api/batch.
//
//	@Summary		Apply several operations in one transaction
//	@Description	Applies 1 to 1,000 operations (unless configured otherwise) in their order, all or none. Wherever an id is expected,
//	@Description	{"ref":"name"} refers to what an earlier operation with this ref creates. A failure answers with the code of the first
//	@Description	operation that failed, and the fields of its details begin with operations[n]. and nothing is changed; problems of the
//	@Description	input are reported for all operations together. dry_run=true applies the operations in a transaction that is rolled back.
//	@Description	Every 100 operations, or part of them, count as one request for the rate limit. With an Idempotency-Key a repeated batch is
//	@Description	applied once; its answer has the entities as they are now, and null for one that was deleted since. Every operation needs
//	@Description	the permission of its single request, or a grant of a role that holds for it in the state that the operations before it have
//	@Description	left; a result shows what the user may see.
//	@Tags			Batches
//	@Param			dry_run			query		bool		false	"true answers what would be done, and changes nothing"
//	@Param			Idempotency-Key	header		string		false	"1 to 255 visible ASCII characters"
//	@Param			body			body		BatchBody	true	"The operations"
//	@Success		200				{object}	Answer[BatchResults]
//	@Header			200				{string}	Idempotent-Replayed	"true if an earlier request with the same key was applied"
//	@Failure		400				"VALIDATION_ERROR; an end that does not exist is named"
//	@Failure		404				"NOT_FOUND: an operation names an entity that does not exist"
//	@Failure		409				"CONFLICT: a constraint in the database, a node has edges, or more than one node or more than one edge has an id"
//	@Failure		412				"PRECONDITION_FAILED: an operation's if_match"
//	@Router			/api/batch [post]
func (a *API) applyBatch(c *call) error {
	options := graph.BatchOptions{Key: c.readIdempotencyKey()}
	if dry := c.readBoolean("dry_run"); dry != nil {
		options.DryRun = *dry
	}
	var operations []graph.Operation
	o := c.parseObject()
	if o != nil {
		operations = c.readOperationsOfAnyID(o)
		for i := range operations {
			operations[i].If = c.hidePrecondition(operations[i].If)
		}
	}
	if err := c.authorizeOperations(operations); err != nil {
		c.auditRefusal(err)
		return err
	}
	if err := c.finish(o); err != nil {
		for _, f := range c.idProblems(operations) {
			c.addProblem(f)
		}
		return c.validate()
	}
	if err := c.countOperations(operations); err != nil {
		return err
	}
	outcome, err := a.options.Batches.Apply(c.ctx(), operations, options)
	if err != nil {
		return c.explainBatchPrecondition(err)
	}
	if outcome.Replayed {
		c.gin.Header("Idempotent-Replayed", "true")
	}
	c.write(http.StatusOK, c.batchData(operations, outcome, !options.DryRun), nil)
	return nil
}

// countOperations counts operations against the rate limit, besides the request that was counted already.
func (c *call) countOperations(operations []graph.Operation) error {
	return c.countMore((len(operations) - 1) / operationsPerRequest)
}

var operationPermissions = map[graph.OperationName]auth.Permission{
	graph.OpCreateNode: auth.Create, graph.OpCreateEdge: auth.Create, graph.OpUpdateNode: auth.Edit, graph.OpUpdateEdge: auth.Edit,
	graph.OpDeleteNode: auth.Delete, graph.OpDeleteEdge: auth.Delete,
}

// authorizeOperations checks that the user has the permission of every operation, or a grant for some entities. Operations without a
// valid name are reported as input later.
func (c *call) authorizeOperations(operations []graph.Operation) error {
	return c.route.authorizeOperations(c.principal, operations)
}

// authorizeOperations checks the operations of a request to the route by a principal.
func (r Route) authorizeOperations(p auth.Principal, operations []graph.Operation) error {
	for i, o := range operations {
		needed, known := operationPermissions[o.Op]
		if known && !p.May(needed) && !r.Rules.grants(p.View, needed, o.Op.Kind()) {
			return fault.New(fault.PermissionDenied, "Permission denied: an operation needs the permission "+string(needed),
				fault.Detail{Field: graph.OperationField(i, "op"), Message: "needs the permission " + string(needed)})
		}
	}
	return nil
}

// explainBatchPrecondition is explainPrecondition for the member if_match.
func (c *call) explainBatchPrecondition(err error) error {
	f := fault.As(err)
	explained := fault.As(c.explainPrecondition(err))
	if f == explained {
		return err
	}
	for i := range explained.Details {
		explained.Details[i].Field = f.Details[i].Field
	}
	return explained
}

// batchData writes {"applied","results"} and releases the entities.
func (c *call) batchData(operations []graph.Operation, outcome graph.BatchOutcome, applied bool) func(*output) {
	return func(o *output) {
		o.append(func(dst []byte) []byte {
			return append(strconv.AppendBool(append(dst, `{"applied":`...), applied), `,"results":`...)
		})
		i := -1
		listData(outcome.Results, func(dst []byte, r *graph.OperationResult) []byte {
			i++
			dst = c.appendResult(dst, operations[i], r, outcome.Replayed)
			r.Node, r.Edge = nil, nil
			return dst
		})(o)
		o.append(func(dst []byte) []byte { return append(dst, '}') })
	}
}

func (c *call) appendResult(dst []byte, o graph.Operation, r *graph.OperationResult, replayed bool) []byte {
	dst = append(append(dst, `{"op":"`...), r.Op...)
	dst = typedjson.AppendString(append(dst, `","id":`...), r.ID)
	if r.Ref != "" {
		dst = typedjson.AppendString(append(dst, `,"ref":`...), r.Ref)
	}
	dst = append(dst, `,"data":`...)
	switch {
	case r.Op == graph.OpDeleteNode:
		dst = appendNodeDeletion(dst, graph.Deletion{ID: r.ID, DeletedEdges: r.DeletedEdges})
	case r.Op == graph.OpDeleteEdge:
		dst = appendEdgeDeletion(dst, graph.Deletion{ID: r.ID})
	case r.Node == nil && r.Edge == nil:
		dst = append(dst, "null"...)
	case isHidden(r) && (!r.Op.Creates() || rules.ViewOf(c.ctx()).HasGrants()):
		dst = appendIDAndType(dst, r.ID, typeOfResult(r))
	default:
		if isHidden(r) || r.Op.Creates() && replayed && !c.mayRead() {
			showSent(o, r)
		}
		dst = appendEntity(dst, r)
	}
	return append(dst, '}')
}

func appendEntity(dst []byte, r *graph.OperationResult) []byte {
	if r.Edge != nil {
		return typedjson.AppendEdge(dst, r.Edge)
	}
	return typedjson.AppendNode(dst, r.Node)
}

func typeOfResult(r *graph.OperationResult) string {
	if r.Edge != nil {
		return r.Edge.Type
	}
	return r.Node.Type
}

// isHidden reports whether the user does not see the entity of a result.
func isHidden(r *graph.OperationResult) bool {
	if r.Edge != nil {
		return r.Edge.Properties == nil
	}
	return r.Node.Properties == nil
}

// showSent replaces the content of a created entity by what the caller sent: see write_only.go.
func showSent(o graph.Operation, r *graph.OperationResult) {
	if r.Edge != nil {
		r.Edge.Properties = o.Properties
		return
	}
	labels := []string{string(o.Type)}
	for _, label := range o.Labels {
		labels = append(labels, string(label))
	}
	r.Node = &graph.Node{ID: r.ID, Type: string(o.Type), Labels: labels, Properties: o.Properties}
}
