package neo4jbatch

import (
	"context"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
)

// operationList are the operations of a batch, in their order.
type operationList []*operation

// newOperationList makes the list, and links each operation to those that create the entities it refers to.
func newOperationList(operations []graph.Operation) operationList {
	all := make(operationList, 0, len(operations))
	byRef, byEntityID := map[string]*operation{}, map[neo4jentity.TypeKey]*operation{}
	definition := func(k graph.Kind, r graph.EntityRef) *operation {
		if r.Ref != "" {
			return byRef[r.Ref]
		}
		return byEntityID[neo4jentity.TypeKey{Kind: k, Name: r.ID}]
	}
	for i, given := range operations {
		o := &operation{Operation: given, index: i, k: given.Op.Kind()}
		switch given.Op {
		case graph.OpCreateNode:
		case graph.OpCreateEdge:
			o.ends = [2]*operation{definition(graph.NodeKind, given.Source), definition(graph.NodeKind, given.Target)}
		default:
			o.definition = definition(o.k, given.Entity)
		}
		if given.Op.Creates() && given.Ref != "" {
			byRef[given.Ref] = o
		}
		if given.Op.Creates() && given.ID != "" {
			byEntityID[neo4jentity.TypeKey{Kind: o.k, Name: given.ID}] = o
		}
		all = append(all, o)
	}
	return all
}

// batchPreparer does for a batch what precedes the transaction.
type batchPreparer struct{ *batchRun }

// prepare does what precedes the transaction: it resolves ids, validates the operations against the declarations, accepts new names, makes
// new types managed, and chooses ids. What it rejects has changed nothing: names and types come last.
func (b *batchRun) prepare(ctx context.Context) error {
	m, err := b.reads.Catalog.Get(ctx)
	if err != nil {
		return err
	}
	b.m = m
	preparer := batchPreparer{b}
	newTypes := b.all.unmanagedTypes(m)
	if len(newTypes) > 0 { // for a new type the id cache is not sufficient: see CreateEdge
		preparer.dropCachedIDs()
	}
	if err := preparer.resolve(ctx); err != nil {
		return bolt.Translate(err)
	}
	if err := b.failMissing(ctx); err != nil {
		return err
	}
	if err := preparer.validateCreates(ctx); err != nil {
		return err
	}
	labels, types, keys := b.all.collectNames()
	added := b.writes.Types.Names.Unknown(labels, types, keys)
	if !added.IsEmpty() {
		b.writes.Types.Names.Refresh(ctx) // other replicas may have added them
		added = b.writes.Types.Names.Unknown(labels, types, keys)
	}
	addsNames := len(newTypes) > 0 || !added.IsEmpty()
	if addsNames {
		if err := preparer.authorizeEarly(ctx, m); err != nil {
			return err
		}
		if err := b.failMissing(ctx); err != nil {
			return err
		}
	}
	if i := slices.IndexFunc(b.all, func(o *operation) bool { return o.failure != nil }); i >= 0 && addsNames {
		return b.all.operationFault(i, b.all[i].failure) // applying the operations before it would leave new names behind
	}
	if err := b.writes.Types.Names.Reserve(ctx, labels, types, keys); err != nil {
		return b.all.attributeNames(err, added)
	}
	if b.m, err = preparer.manageTypes(ctx, m, newTypes); err != nil {
		return err
	}
	return b.all.chooseIDs(b.config.IDProperty)
}

// dropCachedIDs makes the next resolve ask the database.
func (pr batchPreparer) dropCachedIDs() {
	for _, o := range pr.all {
		if o.Op == graph.OpCreateEdge {
			pr.reads.IDCaches[0].Drop(o.Source.ID)
			pr.reads.IDCaches[0].Drop(o.Target.ID)
		} else {
			pr.reads.IDCacheOf(o.k).Drop(o.Entity.ID)
		}
	}
}

// validateCreates validates new entities against their declarations, and reports every problem of every operation.
func (pr batchPreparer) validateCreates(ctx context.Context) error {
	ends, err := pr.endLabels(ctx)
	if err != nil {
		return bolt.Translate(err)
	}
	faults := map[int]error{}
	for _, o := range pr.all {
		if !o.Op.Creates() {
			continue
		}
		properties, idProblem := o.Properties, graph.CheckNoID(o.Properties, pr.config.IDProperty)
		if idProblem != nil { // a declaration says nothing about the id property
			properties = maps.Clone(properties)
			delete(properties, pr.config.IDProperty)
		}
		if err := fault.Merge(idProblem, pr.validateCreate(o, properties, ends)); err != nil {
			faults[o.index] = err
		}
	}
	if len(faults) > 0 {
		for _, o := range pr.all {
			if fault.CodeOf(o.failure) == fault.Validation {
				faults[o.index] = fault.Merge(fault.As(faults[o.index]), fault.As(o.failure))
			}
		}
	}
	return pr.all.mergeOperationFaults(faults)
}

// validateCreate validates a new entity against its declaration.
func (pr batchPreparer) validateCreate(o *operation, properties graph.Properties, ends map[string][]string) *fault.Error {
	if o.failure != nil {
		return nil //nolint:nilerr // it is reported as the failure of the operation
	}
	if o.k == graph.EdgeKind {
		o.endLabels = declared.Ends{Source: o.labelsOfEnd(0, ends), Target: o.labelsOfEnd(1, ends)}
		if o.endStates.hidden[0] || o.endStates.hidden[1] { // see checkNewEdges, once an earlier operation has made the end visible
			return nil
		}
	}
	made := o.newEntity()
	made.Properties = properties
	return fault.As(made.Validate(pr.types))
}

// endLabels reads the labels of the ends in the database of new edges, by element id, if a declaration restricts them.
func (pr batchPreparer) endLabels(ctx context.Context) (map[string][]string, error) {
	var asked []string
	for _, o := range pr.all {
		if o.Op != graph.OpCreateEdge || o.failure != nil || !pr.types.NeedsEnds(string(o.Type)) {
			continue
		}
		for i := range o.ends {
			if o.ends[i] == nil {
				asked = append(asked, o.sourceAndTarget[i].ElementID)
			}
		}
	}
	return pr.reads.Elements.LabelsOf(ctx, asked)
}

func (o *operation) labelsOfEnd(i int, ends map[string][]string) []string {
	if o.ends[i] != nil {
		return o.ends[i].AllLabels()
	}
	return ends[o.sourceAndTarget[i].ElementID]
}

// collectNames are all names that the operations use.
func (ol operationList) collectNames() (labels, types []string, keys graph.Properties) {
	keys = graph.Properties{}
	for _, o := range ol {
		for key, value := range o.Properties {
			if value != nil {
				keys[key] = value
			}
		}
		switch o.Op {
		case graph.OpCreateNode:
			labels = append(labels, o.AllLabels()...)
		case graph.OpCreateEdge:
			types = append(types, string(o.Type))
		}
	}
	return labels, types, keys
}

// attributeNames names the first operation with a new name of the kind that was rejected.
func (ol operationList) attributeNames(err error, added neo4jschema.NewNames) error {
	f := fault.As(bolt.Translate(err))
	if f.Code != fault.Validation || len(f.Details) != 1 {
		return f
	}
	for _, o := range ol {
		var uses bool
		if key, isKey := strings.CutPrefix(f.Details[0].Field, "properties."); isKey {
			uses = slices.ContainsFunc(slices.Collect(maps.Keys(o.Properties)), func(name string) bool {
				return o.Properties[name] != nil && graph.FieldPath("", name) == key
			})
		} else {
			uses = o.Op == graph.OpCreateEdge && slices.Contains(added.Types, string(o.Type)) ||
				o.Op == graph.OpCreateNode && slices.ContainsFunc(o.AllLabels(), func(name string) bool { return slices.Contains(added.Labels, name) })
		}
		if uses {
			return ol.operationFault(o.index, f)
		}
	}
	return f
}

// unmanagedTypes are the types of new entities that are not managed yet, each with the first operation that uses it.
func (ol operationList) unmanagedTypes(m *neo4jentity.ManagedTypes) map[neo4jentity.TypeKey]*operation {
	found := map[neo4jentity.TypeKey]*operation{}
	for _, o := range ol {
		key := neo4jentity.TypeKey{Kind: o.k, Name: string(o.Type)}
		if o.Op.Creates() && o.Type != "" && !m.Of(o.k).Has(string(o.Type)) && found[key] == nil {
			found[key] = o
		}
	}
	return found
}

// manageTypes makes new types managed, and returns the managed types then. A dry run only assumes that they are.
func (pr batchPreparer) manageTypes(
	ctx context.Context, m *neo4jentity.ManagedTypes, newTypes map[neo4jentity.TypeKey]*operation,
) (*neo4jentity.ManagedTypes, error) {
	if len(newTypes) == 0 {
		return m, nil
	}
	if pr.dryRun {
		return m.WithTypes(slices.Collect(maps.Keys(newTypes)), pr.texts.IDName), nil
	}
	var builds errgroup.Group
	for key, o := range newTypes {
		builds.Go(func() error {
			if err := pr.writes.Types.EnsureManaged(ctx, key.Kind, o.Type); err != nil {
				return pr.all.operationFault(o.index, err)
			}
			return nil
		})
	}
	if err := builds.Wait(); err != nil {
		return nil, err
	}
	return pr.reads.Catalog.Get(ctx)
}

// chooseIDs chooses the ids of new entities, so that a repeated transaction creates the same ones.
func (ol operationList) chooseIDs(idProperty string) (err error) {
	for _, o := range ol {
		if !o.Op.Creates() {
			continue
		}
		if o.created, err = neo4jentity.NewCreate(idProperty, o.Type, o.ID, o.Properties); err != nil {
			return err
		}
	}
	return nil
}
