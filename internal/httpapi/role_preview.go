package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// previewRole answers POST /api/admin/roles/preview.
//
//	@Summary		Preview what a role shows
//	@Description	Counts, for each type, the nodes or edges that grants show to somebody who has nothing else. With user, conditions on the user
//	@Description	are those of that user; otherwise they are not met. The grants need not be those of a role. Types without conditions are read
//	@Description	from the count store, others are counted, the smallest first. What cannot be counted within two thirds of the timeout of a
//	@Description	query is null.
//	@Description	Needs the permission read as well.
//	@Tags			Roles
//	@Param			body	body		RolePreviewBody	true	"The grants, and whose attributes conditions refer to"
//	@Success		200		{object}	Answer[RolePreviewDocument]
//	@Router			/api/admin/roles/preview [post]
func (a *API) previewRole(c *call) error {
	var username string
	var grants []rules.Grant
	o := c.parseObject()
	if o != nil {
		username, _ = o.OptionalString("user")
		members := a.readGrantsMember(o)
		if members == nil {
			o.Invalid("grants", "is required")
		}
		setGiven(&grants, members)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	var user rules.User
	if username != "" {
		u, err := a.options.Accounts.User(c.ctx(), username)
		if fault.CodeOf(err) == fault.NotFound {
			return fault.Invalid("user", "must be the name of a user")
		}
		if err != nil {
			return err
		}
		user = rules.User{ID: u.ID, Name: u.Username, Attributes: u.Attributes}
	}
	p := rolePreview{api: a, view: rules.NewView(user, nil, []rules.Role{{Grants: grants}})}
	if err := p.count(c.ctx()); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(RolePreviewDocument{NodeTypes: p.types(graph.NodeKind), EdgeTypes: p.types(graph.EdgeKind)}))
	return nil
}

// rolePreview counts what a view shows.
type rolePreview struct {
	api     *API
	view    *rules.View
	entries []*previewedType
}

// previewedType is a type with the number of its entities that are visible, nil if it is not known, and of all.
type previewedType struct {
	kind    graph.Kind
	name    graph.TypeName
	visible *int64
	total   int64
}

// count fills the entries. It leaves those nil that the time does not suffice for.
func (p *rolePreview) count(ctx context.Context) error {
	whole, err := p.api.options.Schema.Schema(ctx)
	if err != nil {
		return err
	}
	ctx = rules.WithView(ctx, p.view)
	shown, err := p.api.options.Schema.Schema(ctx)
	if err != nil {
		return err
	}
	for _, t := range whole.NodeTypes {
		at := slices.IndexFunc(shown.NodeTypes, func(s graph.NodeType) bool { return s.Type == t.Type && !s.Partial })
		p.add(graph.NodeKind, t.Type, t.Count, at >= 0)
	}
	for _, t := range whole.EdgeTypes {
		at := slices.IndexFunc(shown.EdgeTypes, func(s graph.EdgeType) bool { return s.Type == t.Type && !s.Partial })
		p.add(graph.EdgeKind, t.Type, t.Count, at >= 0)
	}
	bounded, cancel := context.WithTimeout(ctx, p.api.options.QueryTimeout*2/3)
	defer cancel()
	bySize := slices.Clone(p.entries)
	slices.SortStableFunc(bySize, func(x, y *previewedType) int { return cmp.Compare(x.total, y.total) })
	for _, t := range bySize {
		if t.visible != nil {
			continue
		}
		t.visible, err = p.countVisible(bounded, t)
		switch {
		case ctx.Err() == nil && (bounded.Err() != nil || fault.CodeOf(err) == fault.DatabaseTimeout):
			t.visible = nil
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// add adds a type. All of its entities are visible if a grant without conditions shows them, and none if there are none or no grant is for
// the kind.
func (p *rolePreview) add(kind graph.Kind, name string, total int64, all bool) {
	t := &previewedType{kind: kind, name: graph.TypeName(name), total: total}
	switch {
	case all:
		t.visible = &t.total
	case total == 0 || !p.view.Allows(rules.Read, kind):
		t.visible = new(int64)
	}
	p.entries = append(p.entries, t)
}

// countVisible counts the entities of a type in the view of a context.
func (p *rolePreview) countVisible(ctx context.Context, t *previewedType) (*int64, error) {
	paging := graph.Paging{Limit: 1, Count: true}
	if t.kind == graph.NodeKind {
		page, err := p.api.options.Nodes.Nodes(ctx, graph.NodeQuery{Type: t.name, Paging: paging})
		return page.Total, err
	}
	page, err := p.api.options.Edges.Edges(ctx, graph.EdgeQuery{Type: t.name, Paging: paging})
	return page.Total, err
}

// types are the entries of a kind, for the answer.
func (p *rolePreview) types(kind graph.Kind) []PreviewedType {
	list := []PreviewedType{}
	for _, t := range p.entries {
		if t.kind == kind {
			list = append(list, PreviewedType{Type: string(t.name), Visible: t.visible, Total: t.total})
		}
	}
	return list
}
