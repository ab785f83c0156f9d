package neo4jentity

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// EntityToCreate is an entity to be created. Every create is judged here: of a single request, of a batch, of a change set and of a line of
// an import; and what an undo restores.
type EntityToCreate struct {
	Kind       kind
	Names      []string // labels of a node, which may have none, or the type of an edge
	Properties graph.Properties
	Ends       declared.Ends // the labels of the ends of an edge
}

// Judge decides whether the user may create the entity, and then whether it is valid: a declaration is not shown to a user who may not
// create the type.
func (n EntityToCreate) Judge(ctx context.Context, types *declared.Types) error {
	if err := n.Authorize(ctx); err != nil {
		return err
	}
	return n.Validate(types)
}

// Authorize decides whether the user may create the entity, whether or not it is valid.
func (n EntityToCreate) Authorize(ctx context.Context) error {
	return neo4jview.CheckCreate(ctx, n.Kind, n.Names, n.Properties)
}

// Validate applies the declarations.
func (n EntityToCreate) Validate(types *declared.Types) error {
	if n.Kind == nodes {
		return types.ValidateNewNode(n.Names, n.Properties)
	}
	return types.ValidateNewEdge(n.Names[0], n.Properties, n.Ends)
}

// LockedEntity is an entity under its lock, with its content as clients see it. Every update and delete of one that depends on its content
// is judged here: of a single request, of a batch, of a change set and of a line of an import.
type LockedEntity struct {
	Kind       kind
	At         Reference
	IDProperty string
	Managed    bool // a type of it has ids
	Names      []string
	Ends       declared.Ends // the labels of the ends of an edge
	Now        neo4jview.Content
	endValues  []any // see Record
}

// ReadLocked converts an entity that is locked.
func (cr *contentReader) ReadLocked(
	ctx context.Context, m *ManagedTypes, k kind, at Reference, e *Record,
) (l LockedEntity, err error) {
	l = LockedEntity{
		Kind: k, At: at, IDProperty: cr.config.IDProperty, Managed: slices.ContainsFunc(e.Names, m.Of(k).Has), Names: e.Names,
		Ends: declared.Ends{Source: bolt.AsTexts(e.Source.Labels), Target: bolt.AsTexts(e.Target.Labels)}, endValues: e.endValues,
	}
	l.Now, err = cr.ReadContent(ctx, m, k, e)
	return l, err
}

// JudgeUpdate decides whether the user may change the entity so, and then whether the change is valid: what is not is reported together.
func (l LockedEntity) JudgeUpdate(ctx context.Context, types *declared.Types, c graph.Change) error {
	if err := neo4jview.CheckEdit(ctx, l.Kind, l.Names, l.Now, c.Properties); err != nil {
		return err
	}
	if !c.If.Allows(l.Now.Revision) {
		return preconditionFailed()
	}
	after := graph.ApplyChange(l.Now.Properties, c.Properties)
	err := neo4jview.ValidateChange(ctx, types, l.Kind, l.Names, l.Now.Properties, after, l.Ends)
	err = neo4jview.HideDetails(ctx, err, l.Kind, l.Names, after, c.Properties)
	if invalid := l.invalidValues(c); fault.Merge(invalid...) != nil {
		return fault.Merge(append(invalid, fault.As(err))...)
	}
	return err
}

// judgeDelete decides whether the user may delete the entity. refused is the result of refusedEdges.
func (l LockedEntity) judgeDelete(ctx context.Context, when graph.Precondition, refused int64) error {
	if err := neo4jview.CheckDelete(ctx, l.Kind, l.Names, l.Now, refused); err != nil {
		return err
	}
	if !when.Allows(l.Now.Revision) {
		return preconditionFailed()
	}
	return nil
}

// invalidValues are the values of a change that the content of the entity does not allow.
func (l LockedEntity) invalidValues(c graph.Change) []*fault.Error {
	invalid := []*fault.Error{l.checkIDProperty(c.Properties)}
	for _, key := range c.Unchanged {
		if value, there := l.Now.Properties[key]; !there || !graph.EqualValues(value, c.Properties[key]) {
			invalid = append(invalid, fault.Invalid(graph.FieldPath("properties", key), "is larger than allowed for new data"))
		}
	}
	return invalid
}

// checkIDProperty rejects a change of the property that is, or would become, the id of the entity.
func (l LockedEntity) checkIDProperty(change graph.Properties) *fault.Error {
	value, given := change[l.IDProperty]
	_, isText := value.(string)
	field := graph.FieldPath("properties", l.IDProperty)
	switch {
	case !given:
		return nil
	case l.At.Own != "":
		return graph.FixedID(l.IDProperty)
	case l.Managed && isText && !graph.EqualValues(value, l.Now.Properties[l.IDProperty]):
		return fault.Invalid(field, "a string here would become the id; ids are assigned by the service")
	}
	return nil
}
