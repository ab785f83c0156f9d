package httpapi

import (
	"net/http"
	"slices"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func indexDocument(i graph.PropertyIndex) PropertyIndexDocument {
	d := PropertyIndexDocument{
		Name: i.Name, Entity: string(i.Entity), Kind: string(i.Kind), Types: nonNil(i.Types), Properties: nonNil(i.Properties),
		State: string(i.State), Progress: i.Progress, Managed: i.Managed,
	}
	if len(i.Types) == 1 {
		d.Type = &i.Types[0]
	}
	if i.Constraint != "" {
		d.Constraint = &i.Constraint
	}
	if !i.Use.Since.IsZero() {
		d.Reads, d.ReadsSince, d.LastReadAt = &i.Use.Reads, optionalTime(i.Use.Since), optionalTime(i.Use.LastRead)
	}
	return d
}

// listIndexes answers GET /api/admin/indexes.
//
//	@Summary		List indexes
//	@Description	The indexes of the database by name, of every kind: those created by this API, and with managed false those created in Cypher, search indexes
//	@Description	and indexes that belong to constraints.
//	@Tags			Indexes
//	@Success		200	{object}	Answer[[]PropertyIndexDocument]
//	@Router			/api/admin/indexes [get]
func (a *API) listIndexes(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.Indexes.Indexes(c.ctx())
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(mapSlice(found, indexDocument)))
	return nil
}

// createIndex answers POST /api/admin/indexes.
//
//	@Summary		Create an index
//	@Description	Creates an index for filters and sorts of one type: range for comparisons and sorting, text for contains and ends_with, point for Cypher
//	@Description	queries on points. The database builds it in the background. Sent again, the same request returns the index in its current state.
//	@Tags			Indexes
//	@Param			body	body		NewIndexBody	true	"The index"
//	@Success		201		{object}	Answer[PropertyIndexDocument]		"The index is online"
//	@Success		202		{object}	Answer[PropertyIndexDocument]		"The index is being built; its state and progress show how far"
//	@Header			201		{string}	Location	"Path of the index"
//	@Header			202		{string}	Location	"Path of the index"
//	@Failure		409		"CONFLICT: the name is taken, or there is an index of this kind on the same type and properties"
//	@Router			/api/admin/indexes [post]
func (a *API) createIndex(c *call) error {
	var n graph.NewIndex
	o := c.parseObject()
	if o != nil {
		n = newIndex(o)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	i, err := a.options.Indexes.CreateIndex(c.ctx(), n)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if i.State != graph.SearchOnline {
		status = http.StatusAccepted
	}
	c.setLocation("/api/admin/indexes", i.Name)
	c.send(status, appendJSON(indexDocument(i)))
	return nil
}

func newIndex(o *typedjson.Object) graph.NewIndex {
	n := graph.NewIndex{Name: o.String("name"), Entity: graph.Kind(o.String("entity")), Kind: graph.IndexKind(o.String("kind"))}
	o.Add(graph.CheckSearchIndexName("name", n.Name))
	if n.Entity != graph.NodeKind && n.Entity != graph.EdgeKind {
		o.Invalid("entity", "must be node or edge")
	}
	if !slices.Contains(graph.IndexKinds(), n.Kind) {
		o.Invalid("kind", "must be range, text or point")
	}
	name, f := graph.ParseTypeName("type", o.String("type"))
	o.Add(f)
	n.Type = name
	n.Properties = distinctNames(o, "properties", graph.MaxIndexProperties)
	for _, p := range n.Properties {
		o.Add(graph.CheckSearchProperty("properties", p))
	}
	if len(n.Properties) > 1 && (n.Kind == graph.TextIndex || n.Kind == graph.PointIndex) {
		o.Invalid("properties", "must have one name for a text or point index; only a range index can have several")
	}
	return n
}

// getIndex answers GET /api/admin/indexes/{name}.
//
//	@Summary		Read an index
//	@Description	state is building, with progress in percent, then online; delete a failed index and create it again.
//	@Tags			Indexes
//	@Param			name	path		string	true	"Name of the index"
//	@Success		200		{object}	Answer[PropertyIndexDocument]
//	@Router			/api/admin/indexes/{name} [get]
func (a *API) getIndex(c *call) error {
	name := c.readPathValue("name")
	if err := c.validateWithID("index", name); err != nil {
		return err
	}
	i, err := a.options.Indexes.Index(c.ctx(), name)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(indexDocument(i)))
	return nil
}

// deleteIndex answers DELETE /api/admin/indexes/{name}.
//
//	@Summary		Delete an index
//	@Description	The nodes and edges stay. Only an index that was created by POST /api/admin/indexes is deleted.
//	@Tags			Indexes
//	@Param			name	path		string	true	"Name of the index"
//	@Success		200		{object}	Answer[IndexDeletionDocument]
//	@Failure		409		"CONFLICT: it was created in Cypher, is a search index, or belongs to a constraint"
//	@Router			/api/admin/indexes/{name} [delete]
func (a *API) deleteIndex(c *call) error {
	name := c.readPathValue("name")
	if err := c.validateWithID("index", name); err != nil {
		return err
	}
	if err := a.options.Indexes.DeleteIndex(c.ctx(), name); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(IndexDeletionDocument{Name: name, Deleted: true}))
	return nil
}
