package httpapi

import (
	"net/http"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func searchIndexDocument(i graph.SearchIndex) SearchIndexDocument {
	return SearchIndexDocument{
		Name: i.Name, Kind: string(i.Kind), Types: nonNil(i.Types), Properties: nonNil(i.Properties), Analyzer: i.Analyzer,
		State: string(i.State), Progress: i.Progress, Managed: i.Managed,
	}
}

// listSearchIndexes answers GET /api/admin/search-indexes.
//
//	@Summary		List search indexes
//	@Description	The full-text indexes of the database by name: those created by this API, and with managed false those created in Cypher, which searches use as well.
//	@Tags			Search
//	@Success		200	{object}	Answer[[]SearchIndexDocument]
//	@Router			/api/admin/search-indexes [get]
func (a *API) listSearchIndexes(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.Search.SearchIndexes(c.ctx())
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(mapSlice(found, searchIndexDocument)))
	return nil
}

// createSearchIndex answers POST /api/admin/search-indexes.
//
//	@Summary		Create a search index
//	@Description	Creates a full-text index in the database, on the given properties of nodes or edges of the given types. The database builds the index
//	@Description	in the background; its state and progress show how far.
//	@Tags			Search
//	@Param			body	body		NewSearchIndexBody	true	"The search index"
//	@Success		201		{object}	Answer[SearchIndexDocument]
//	@Header			201		{string}	Location	"Path of the search index"
//	@Failure		409		"CONFLICT: the name is taken, or there is an index on exactly the same types and properties"
//	@Router			/api/admin/search-indexes [post]
func (a *API) createSearchIndex(c *call) error {
	var n graph.NewSearchIndex
	o := c.parseObject()
	if o != nil {
		n = newSearchIndex(o)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	i, err := a.options.Search.CreateSearchIndex(c.ctx(), n)
	if err != nil {
		return err
	}
	c.setLocation("/api/admin/search-indexes", i.Name)
	c.send(http.StatusCreated, appendJSON(searchIndexDocument(i)))
	return nil
}

func newSearchIndex(o *typedjson.Object) graph.NewSearchIndex {
	n := graph.NewSearchIndex{Name: o.String("name"), Kind: graph.Kind(o.String("kind"))}
	o.Add(graph.CheckSearchIndexName("name", n.Name))
	if n.Kind != graph.NodeKind && n.Kind != graph.EdgeKind {
		o.Invalid("kind", "must be node or edge")
	}
	for _, text := range distinctNames(o, "types", graph.MaxSearchTypes) {
		name, f := graph.ParseTypeName("types", text)
		o.Add(f)
		n.Types = append(n.Types, name)
	}
	n.Properties = distinctNames(o, "properties", graph.MaxSearchProperties)
	for _, p := range n.Properties {
		o.Add(graph.CheckSearchProperty("properties", p))
	}
	if analyzer, given := o.OptionalString("analyzer"); given {
		if analyzer == "" {
			o.Invalid("analyzer", "must not be empty; leave it out for the database's own default")
		}
		n.Analyzer = analyzer
	}
	return n
}

// getSearchIndex answers GET /api/admin/search-indexes/{name}.
//
//	@Summary		Read a search index
//	@Description	state is building, with progress in percent, then online; delete a failed index and create it again.
//	@Tags			Search
//	@Param			name	path		string	true	"Name of the search index"
//	@Success		200		{object}	Answer[SearchIndexDocument]
//	@Router			/api/admin/search-indexes/{name} [get]
func (a *API) getSearchIndex(c *call) error {
	name := c.readPathValue("name")
	if err := c.validateWithID("search index", name); err != nil {
		return err
	}
	i, err := a.options.Search.SearchIndex(c.ctx(), name)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(searchIndexDocument(i)))
	return nil
}

// deleteSearchIndex answers DELETE /api/admin/search-indexes/{name}.
//
//	@Summary		Delete a search index
//	@Description	The nodes and edges stay. An index that was created in Cypher is not deleted.
//	@Tags			Search
//	@Param			name	path		string	true	"Name of the search index"
//	@Success		200		{object}	Answer[SearchIndexDeletionDocument]
//	@Failure		409		"CONFLICT: it was created in Cypher"
//	@Router			/api/admin/search-indexes/{name} [delete]
func (a *API) deleteSearchIndex(c *call) error {
	name := c.readPathValue("name")
	if err := c.validateWithID("search index", name); err != nil {
		return err
	}
	if err := a.options.Search.DeleteSearchIndex(c.ctx(), name); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(SearchIndexDeletionDocument{Name: name, Deleted: true}))
	return nil
}
