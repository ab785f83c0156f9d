package httpapi

import (
	"strconv"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// search answers GET /api/search.
//
//	@Summary		Search nodes and edges by words
//	@Description	Finds entities that contain every word of q, each in any of the indexed properties; the best match first. Quotes enclose a phrase,
//	@Description	and port* matches every word with that prefix; q has no other operators. matched names the properties in which words were
//	@Description	found. For each property of an index the 5,000 best hits are read, fewer if there are more than 20 properties:
//	@Description	meta.page.truncated means that there are more; otherwise meta.page.total is returned. Indexes that are still being built are skipped, unless index names one.
//	@Tags			Search
//	@Param			q			query		string	true	"Words, 500 bytes and 16 words at most"	maxLength(500)	example(tel aviv)
//	@Param			fuzzy		query		boolean	false	"Words of at least four letters also match those that differ in one letter"	default(false)
//	@Param			index		query		string	false	"Only these search indexes, comma-separated"	example(places)
//	@Param			kind		query		string	false	"Only nodes or only edges"	Enums(node, edge)
//	@Param			type		query		string	false	"Only nodes that have this type, or edges of it"	example(Airport)
//	@Param			property	query		string	false	"Only these properties, comma-separated"	example(name)
//	@Success		200			{object}	ListAnswer[SearchHit]
//	@Header			200			{string}	Link		"The next page, rel=next, when there is one"
//	@Failure		404			"NOT_FOUND: there is no search index, or none of the name in index"
//	@Failure		409			"CONFLICT: the index named could not be built"
//	@Failure		503			"DATABASE_UNAVAILABLE: also while the index is being built"
//	@Router			/api/search [get]
func (a *API) search(c *call) error {
	page := c.readPaging()
	q := graph.SearchQuery{
		Words: c.readWords("q"), Kind: c.readEntityKind(), Type: c.readTypeName("type"),
		Indexes: c.readNames("index", graph.MaxSearchIndexes), Properties: c.readNames("property", graph.MaxSearchProperties),
		Paging: page.toPaging(),
	}
	if fuzzy := c.readBoolean("fuzzy"); fuzzy != nil && *fuzzy {
		q.Words = graph.AllowTypos(q.Words)
	}
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.Search.Search(c.ctx(), q)
	if err != nil {
		return err
	}
	page.truncated = found.Truncated
	sendList(c, page, found.Page, appendAndRelease(appendHit))
	return nil
}

// readEntityKind reads the kind of entities to search; empty for both.
func (c *call) readEntityKind() graph.Kind {
	if _, given := c.query.get("kind"); !given {
		return ""
	}
	return graph.Kind(c.readEnum("kind", string(graph.NodeKind), string(graph.EdgeKind)))
}

// readWords reads the words of a search, which are required.
func (c *call) readWords(name string) []graph.Word {
	text, given := c.query.get(name)
	if !given {
		c.invalid(name, "must be given")
		return nil
	}
	words, f := graph.ParseWords(name, text)
	c.addProblem(f)
	return words
}

// readNames reads comma-separated names; nil if the parameter is absent.
func (c *call) readNames(name string, maxNames int) []string {
	text, given := c.query.get(name)
	if !given {
		return nil
	}
	names, f := graph.ParseNames(name, text, maxNames)
	c.addProblem(f)
	return names
}

// scoreBits is the precision of Lucene's scores; formatting them with 32 bits keeps them short.
const scoreBits = 32

func appendHit(b []byte, h *graph.Hit) []byte {
	b = typedjson.AppendString(append(b, `{"kind":`...), string(h.Kind))
	b = strconv.AppendFloat(append(b, `,"score":`...), h.Score, 'g', -1, scoreBits)
	b = append(b, `,"matched":[`...)
	for i, property := range h.Matched {
		if i > 0 {
			b = append(b, ',')
		}
		b = typedjson.AppendString(b, property)
	}
	if h.Kind == graph.EdgeKind {
		b = typedjson.AppendEdge(append(b, `],"edge":`...), &h.Edge)
	} else {
		b = typedjson.AppendNode(append(b, `],"node":`...), &h.Node)
	}
	return append(b, '}')
}
