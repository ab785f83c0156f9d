package neo4jchangeset

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// Diff computes what the operations of a change set would change: see changeset.Store.
func (c *Store) Diff(
	ctx context.Context, set changeset.Set, reader changeset.User, operations []graph.Operation,
) (changeset.Diff, error) {
	types, err := c.Types.TypesForWrite(ctx)
	if err != nil {
		return changeset.Diff{}, err
	}
	before, err := c.readBefore(rules.WithoutView(ctx), operations, types)
	if err != nil {
		return changeset.Diff{}, bolt.Translate(err)
	}
	if err := c.readHolders(ctx, operations, &before); err != nil { // with the reader's view
		return changeset.Diff{}, bolt.Translate(err)
	}
	based := changeset.WithBases(operations, set)
	before.Base = set.BaseOf
	if rules.ViewOf(ctx).ShowsAll() {
		return changeset.ComputeDiff(based, before, types), nil
	}
	diff, err := c.diffForReader(ctx, operations, before, types, reader.ID == set.Author.ID, based)
	return diff, bolt.Translate(err)
}

// SetBases returns operations as a proposal stores them: with the ids of their entities and, for updates and deletes, the present ETag,
// with which if_match is compared. What does not exist is left as it is, without if_match: if it exists later, that is a conflict. bases
// are the stored forms of changeset.Base. PRECONDITION_FAILED: an if_match does not match.
func (c *Store) SetBases(ctx context.Context, operations []graph.Operation) (based []graph.Operation, bases []string, err error) {
	seen, whole := newNamedEntities(c), newNamedEntities(c)
	if err := seen.read(ctx, namesOf(operations)); err != nil {
		return nil, nil, err
	}
	if rules.ViewOf(ctx).ShowsAll() {
		whole = seen
	} else if err := whole.read(rules.WithoutView(ctx), namesOf(operations)); err != nil {
		return nil, nil, err
	}
	if err := whole.readAttached(rules.WithoutView(ctx), operations); err != nil {
		return nil, nil, err
	}
	based, bases = slices.Clone(operations), make([]string, len(operations))
	var failed []fault.Detail
	for i := range based {
		o := &based[i]
		if o.Op == graph.OpCreateEdge {
			bases[i] = seen.baseOfEnds(o).Encode()
		}
		if o.Op.Creates() || o.Entity.Ref != "" {
			continue
		}
		id, revision := seen.revisionOf(*o)
		switch {
		case id == "":
			o.If = graph.Precondition{}
			continue
		case !o.If.Allows(revision):
			failed = append(failed, fault.Detail{Field: graph.OperationField(i, "if_match"), Message: graph.PreconditionMessage})
			continue
		}
		bases[i] = whole.baseOf(*o, whole != seen).Encode()
		o.If, o.Entity.ID = graph.Precondition{Revisions: []graph.Revision{revision}}, id
	}
	if len(failed) > 0 {
		return nil, nil, fault.New(fault.PreconditionFailed, "An entity was changed since; read it again", failed...)
	}
	return based, bases, nil
}

// baseOfEnds sets the ids of the ends of a new edge, and says which of them do not exist.
func (e *namedEntities) baseOfEnds(o *graph.Operation) (b changeset.Base) {
	for i, end := range []*graph.EntityRef{&o.Source, &o.Target} {
		if end.Ref != "" {
			continue
		}
		n := e.before.Nodes[end.ID]
		if b.Missing[i] = n == nil; n != nil {
			end.ID = n.ID
		}
	}
	return b
}

// revisionOf is the id and the ETag of the entity of an update or a delete; an empty id if it does not exist.
func (e *namedEntities) revisionOf(o graph.Operation) (id string, r graph.Revision) {
	if n := e.before.Nodes[o.Entity.ID]; o.Op.Kind() == graph.NodeKind && n != nil {
		return n.ID, n.Revision()
	}
	if edge := e.before.Edges[o.Entity.ID]; o.Op.Kind() == graph.EdgeKind && edge != nil {
		return edge.ID, edge.Revision()
	}
	return "", ""
}

// baseOf is what an update or a delete is based on, with the ETag if it is not that of if_match.
func (e *namedEntities) baseOf(o graph.Operation, withRevision bool) (b changeset.Base) {
	id, revision := e.revisionOf(o)
	if withRevision {
		b.Revision = revision
	}
	if o.Op == graph.OpDeleteNode {
		b.Edges = changeset.NewEdgeSet(e.before.Attached[id])
	}
	return b
}

// readBefore reads what operations meet in the graph.
func (c *Store) readBefore(ctx context.Context, operations []graph.Operation, types *declared.Types) (changeset.Before, error) {
	named := newNamedEntities(c)
	if err := named.read(ctx, namesOf(operations)); err != nil {
		return named.before, err
	}
	var ends []entityName // of changed edges, whose declaration may restrict them
	for _, o := range operations {
		if e := named.before.Edges[o.Entity.ID]; o.Op == graph.OpUpdateEdge && e != nil && types.NeedsEnds(e.Type) {
			ends = append(ends, entityName{graph.NodeKind, e.SourceID}, entityName{graph.NodeKind, e.TargetID})
		}
	}
	if err := named.read(ctx, ends); err != nil {
		return named.before, err
	}
	return named.before, named.readAttached(ctx, operations)
}

// namesOf are the entities of the graph that operations name.
func namesOf(operations []graph.Operation) (names []entityName) {
	add := func(k graph.Kind, r graph.EntityRef) {
		if r.ID != "" {
			names = append(names, entityName{k, r.ID})
		}
	}
	for _, o := range operations {
		add(graph.NodeKind, o.Source)
		add(graph.NodeKind, o.Target)
		add(o.Op.Kind(), o.Entity)
	}
	return names
}

// entityName is an id under which operations name an entity.
type entityName struct {
	kind graph.Kind
	id   string
}

// maxParallelReads bounds the concurrent reads of entities of one diff.
const maxParallelReads = 64

// namedEntities reads entities by the ids that operations name.
type namedEntities struct {
	c      *Store
	mu     sync.Mutex // guards the maps of before
	before changeset.Before
	asked  map[entityName]bool
}

func newNamedEntities(c *Store) *namedEntities {
	return &namedEntities{c: c, asked: map[entityName]bool{}, before: changeset.Before{
		Nodes: map[string]*graph.Node{}, Edges: map[string]*graph.Edge{},
		Attached: map[string][]graph.Edge{}, TooMany: map[string]bool{}, MaxDetach: c.MaxDetach, IDProperty: c.IDProperty,
	}}
}

// read reads entities. Those that do not exist are left out.
func (e *namedEntities) read(ctx context.Context, names []entityName) error {
	reads, ctx := errgroup.WithContext(ctx)
	reads.SetLimit(maxParallelReads)
	for _, name := range names {
		if !e.asked[name] {
			e.asked[name] = true
			reads.Go(func() error { return fault.Ignore(e.readOne(ctx, name), fault.NotFound) })
		}
	}
	return reads.Wait()
}

func (e *namedEntities) readOne(ctx context.Context, name entityName) error {
	if name.kind == graph.EdgeKind {
		edge, err := e.c.Edges.Edge(ctx, name.id)
		if err == nil {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.before.Edges[name.id] = &edge
		}
		return err
	}
	node, err := e.c.Nodes.Node(ctx, name.id)
	if err == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.before.Nodes[name.id] = &node
	}
	return err
}

// maxParallelLists bounds the concurrent lists of edges of one diff.
const maxParallelLists = 8

// readAttached reads the edges of nodes that operations delete, up to graph.MaxBatchEdges of them.
func (e *namedEntities) readAttached(ctx context.Context, operations []graph.Operation) error {
	var total atomic.Int64
	lists, ctx := errgroup.WithContext(ctx)
	lists.SetLimit(maxParallelLists)
	listed := map[string]bool{}
	for _, o := range operations {
		node := e.before.Nodes[o.Entity.ID]
		if o.Op == graph.OpDeleteNode && node != nil && !listed[node.ID] {
			listed[node.ID] = true
			lists.Go(func() error { return fault.Ignore(e.listEdges(ctx, node.ID, &total), fault.NotFound) })
		}
	}
	return lists.Wait()
}

func (e *namedEntities) listEdges(ctx context.Context, node string, total *atomic.Int64) error {
	q := graph.EdgeQuery{NodeID: node, Paging: graph.Paging{Limit: graph.MaxLimit}}
	for {
		page, err := e.c.Edges.Edges(ctx, q)
		if err != nil {
			return err
		}
		tooMany := total.Add(int64(len(page.Items))) > graph.MaxBatchEdges
		e.mu.Lock()
		e.before.Attached[node] = append(e.before.Attached[node], page.Items...)
		e.before.TooMany[node] = tooMany
		e.mu.Unlock()
		if page.Next == nil || tooMany {
			return nil
		}
		q.After = page.Next
	}
}
