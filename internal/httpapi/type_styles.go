package httpapi

import (
	"net/http"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

const typeStylesPath = "/api/admin/type-styles"

func typeStyleDocument(s graph.TypeStyle) TypeStyleDocument {
	d := TypeStyleDocument{
		Kind: pathKind(s.Kind), Type: string(s.Type), Color: orNull(s.Color), Size: positiveOrNull(s.Size), Width: positiveOrNull(s.Width),
		Caption: orNull(s.Caption), Icon: orNull(s.Icon),
	}
	if !s.UpdatedAt.IsZero() {
		at := s.UpdatedAt.UTC()
		d.UpdatedAt = &at
	}
	return d
}

func positiveOrNull(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

func nodeStyleDocument(s *graph.StyleOfType) *NodeStyleDocument {
	if s == nil {
		return nil
	}
	return &NodeStyleDocument{Color: s.Color, Size: s.Size, Caption: s.Caption, Icon: s.Icon}
}

func edgeStyleDocument(s *graph.StyleOfType) *EdgeStyleDocument {
	if s == nil {
		return nil
	}
	return &EdgeStyleDocument{Color: s.Color, Width: s.Width}
}

// listTypeStyles answers GET /api/admin/type-styles.
//
//	@Summary		List the styles of types
//	@Description	Node types before edge types, each by name. Users get the styles of the types that they may see with the schema.
//	@Tags			Type styles
//	@Success		200	{object}	ListAnswer[TypeStyleDocument]
//	@Router			/api/admin/type-styles [get]
func (a *API) listTypeStyles(c *call) error {
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	styles, err := a.options.Styles.TypeStyles(c.ctx())
	if err != nil {
		return err
	}
	found := pageOfTypes(page, styles, func(s graph.TypeStyle) (graph.Kind, graph.TypeName) { return s.Kind, s.Type })
	sendList(c, page, found, func(dst []byte, s *graph.TypeStyle) []byte { return appendJSON(typeStyleDocument(*s))(dst) })
	return nil
}

// getTypeStyle answers GET /api/admin/type-styles/{kind}/{type}.
//
//	@Summary		Read the style of a type
//	@Tags			Type styles
//	@Param			kind	path	string	true	"nodes or edges"	Enums(nodes, edges)
//	@Param			type	path	string	true	"Name of the type"	example(Airport)
//	@Success		200	{object}	Answer[TypeStyleDocument]
//	@Router			/api/admin/type-styles/{kind}/{type} [get]
func (a *API) getTypeStyle(c *call) error {
	kind, name, err := c.readPathType()
	if err != nil {
		return err
	}
	if err := c.validate(); err != nil {
		return err
	}
	style, err := a.options.Styles.TypeStyle(c.ctx(), kind, name)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(typeStyleDocument(style)))
	return nil
}

// updateTypeStyle answers PUT and PATCH /api/admin/type-styles/{kind}/{type}.
//
//	@Summary		Set the style of a type
//	@Description	How clients draw the entities of a type, for all users who may see the type. Only the given members change; null removes
//	@Description	one, and a style without members is removed. It applies immediately on this replica, and on other replicas within a
//	@Description	second. At most 1,000 types have a style; whether there are entities of the type does not matter. PUT and PATCH are the
//	@Description	same.
//	@Tags			Type styles
//	@Param			kind	path	string	true	"nodes or edges"	Enums(nodes, edges)
//	@Param			type	path	string	true	"Name of the type"	example(Airport)
//	@Param			body	body	TypeStyleChangeBody	true	"The changed members"
//	@Success		200	{object}	Answer[TypeStyleDocument]
//	@Failure		409	"CONFLICT: too many types have a style"
//	@Router			/api/admin/type-styles/{kind}/{type} [put]
//	@Router			/api/admin/type-styles/{kind}/{type} [patch]
func (a *API) updateTypeStyle(c *call) error {
	kind, name, err := c.readPathType()
	if err != nil {
		return err
	}
	var change graph.TypeStyleChange
	o := c.parseObject()
	if o != nil {
		change = readTypeStyleMembers(o)
		o.Add(graph.CheckTypeStyle(kind, change)...)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	style, err := a.options.Styles.SetTypeStyle(c.ctx(), kind, name, change)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(typeStyleDocument(style)))
	return nil
}

// readTypeStyleMembers reads a change of a style. A member that is null becomes its zero value; one that is its zero value is a problem.
func readTypeStyleMembers(o *typedjson.Object) (change graph.TypeStyleChange) {
	text := func(name string) *string {
		value, given := o.OptionalString(name)
		switch {
		case given && value == "":
			o.Invalid(name, "must not be empty; null removes it")
		case !given && !o.Null(name):
			return nil
		}
		return &value
	}
	number := func(name string) *int64 {
		value, given := o.OptionalInteger(name)
		switch {
		case given && value == 0:
			value = -1 // out of range, unlike null
		case !given && !o.Null(name):
			return nil
		}
		return &value
	}
	change.Color, change.Size, change.Width, change.Caption = text("color"), number("size"), number("width"), text("caption")
	change.Icon = text("icon")
	return change
}

// deleteTypeStyle answers DELETE /api/admin/type-styles/{kind}/{type}.
//
//	@Summary		Remove the style of a type
//	@Tags			Type styles
//	@Param			kind	path	string	true	"nodes or edges"	Enums(nodes, edges)
//	@Param			type	path	string	true	"Name of the type"	example(Airport)
//	@Success		200	{object}	Answer[TypeStyleRemovedDocument]
//	@Router			/api/admin/type-styles/{kind}/{type} [delete]
func (a *API) deleteTypeStyle(c *call) error {
	kind, name, err := c.readPathType()
	if err != nil {
		return err
	}
	if err := c.validate(); err != nil {
		return err
	}
	if err := a.options.Styles.RemoveTypeStyle(c.ctx(), kind, name); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(TypeStyleRemovedDocument{Kind: pathKind(kind), Type: string(name), Deleted: true}))
	return nil
}
