package neo4jstore

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// newEntity is an entity to be created. Every create is judged here: of a single request, of a batch, of a change set and of a line of an
// import; and what an undo restores.
type newEntity struct {
	k          kind
	names      []string // labels of a node, which may have none, or the type of an edge
	properties graph.Properties
	ends       declared.Ends // the labels of the ends of an edge
}

// judge decides whether the user may create the entity, and then whether it is valid: a declaration is not shown to a user who may not
// create the type.
func (n newEntity) judge(ctx context.Context, types *declared.Types) error {
	if err := n.authorize(ctx); err != nil {
		return err
	}
	return n.validate(types)
}

func (n newEntity) authorize(ctx context.Context) error {
	return neo4jview.CheckCreate(ctx, n.k, n.names, n.properties)
}

// validate applies the declarations.
func (n newEntity) validate(types *declared.Types) error {
	if n.k == nodes {
		return types.ValidateNewNode(n.names, n.properties)
	}
	return types.ValidateNewEdge(n.names[0], n.properties, n.ends)
}

// lockedEntity is an entity under its lock, with its content as clients see it. Every update and delete of one that depends on its content
// is judged here: of a single request, of a batch, of a change set and of a line of an import.
type lockedEntity struct {
	k          kind
	at         reference
	idProperty string
	managed    bool // a type of it has ids
	names      []string
	ends       declared.Ends // the labels of the ends of an edge
	now        neo4jview.Content
	endValues  []any // see entityRecord
}

// readLocked converts an entity that is locked.
func (cr *contentReader) readLocked(
	ctx context.Context, m *managedTypes, k kind, at reference, e *entityRecord,
) (l lockedEntity, err error) {
	l = lockedEntity{
		k: k, at: at, idProperty: cr.config.IDProperty, managed: slices.ContainsFunc(e.names, m.of(k).has), names: e.names,
		ends: declared.Ends{Source: bolt.AsTexts(e.source.labels), Target: bolt.AsTexts(e.target.labels)}, endValues: e.endValues,
	}
	l.now, err = cr.readContent(ctx, m, k, e)
	return l, err
}

// judgeUpdate decides whether the user may change the entity so, and then whether the change is valid: what is not is reported together.
func (l lockedEntity) judgeUpdate(ctx context.Context, types *declared.Types, c graph.Change) error {
	if err := neo4jview.CheckEdit(ctx, l.k, l.names, l.now, c.Properties); err != nil {
		return err
	}
	if !c.If.Allows(l.now.Revision) {
		return preconditionFailed()
	}
	after := graph.ApplyChange(l.now.Properties, c.Properties)
	err := neo4jview.ValidateChange(ctx, types, l.k, l.names, l.now.Properties, after, l.ends)
	err = neo4jview.HideDetails(ctx, err, l.k, l.names, after, c.Properties)
	if invalid := l.invalidValues(c); fault.Merge(invalid...) != nil {
		return fault.Merge(append(invalid, fault.As(err))...)
	}
	return err
}

// judgeDelete decides whether the user may delete the entity. refused is the result of refusedEdges.
func (l lockedEntity) judgeDelete(ctx context.Context, when graph.Precondition, refused int64) error {
	if err := neo4jview.CheckDelete(ctx, l.k, l.names, l.now, refused); err != nil {
		return err
	}
	if !when.Allows(l.now.Revision) {
		return preconditionFailed()
	}
	return nil
}

// invalidValues are the values of a change that the content of the entity does not allow.
func (l lockedEntity) invalidValues(c graph.Change) []*fault.Error {
	invalid := []*fault.Error{l.checkIDProperty(c.Properties)}
	for _, key := range c.Unchanged {
		if value, there := l.now.Properties[key]; !there || !graph.EqualValues(value, c.Properties[key]) {
			invalid = append(invalid, fault.Invalid(graph.FieldPath("properties", key), "is larger than allowed for new data"))
		}
	}
	return invalid
}

// checkIDProperty rejects a change of the property that is, or would become, the id of the entity.
func (l lockedEntity) checkIDProperty(change graph.Properties) *fault.Error {
	value, given := change[l.idProperty]
	_, isText := value.(string)
	field := graph.FieldPath("properties", l.idProperty)
	switch {
	case !given:
		return nil
	case l.at.own != "":
		return fault.Invalid(field, "is the id and cannot be set or removed")
	case l.managed && isText && !graph.EqualValues(value, l.now.Properties[l.idProperty]):
		return fault.Invalid(field, "a string here would become the id; ids are assigned by the service")
	}
	return nil
}
