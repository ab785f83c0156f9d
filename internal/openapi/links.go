package openapi

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
)

// links are the follow-up operations of a response: a created entity can be read, changed, listed and deleted.
var links = []struct {
	from      string // operation whose success answers
	parameter string // of the operations that follow
	value     string
	to        []string
}{
	{"createNode", "node_id", "$response.body#/data/id", []string{
		"getNode", "updateNode", "patchNode", "listNodeEdges", "getDegree", "getNeighbors", "deleteNode",
	}},
	{"updateNode", "node_id", "$response.body#/data/id", []string{"getNode", "deleteNode"}},
	{"deleteNode", "node_id", "$request.path.node_id", []string{"getNode"}},
	{"createEdge", "id", "$response.body#/data/id", []string{"getEdge", "updateEdge", "patchEdge", "deleteEdge"}},
	{"deleteEdge", "id", "$request.path.id", []string{"getEdge"}},
	{"createUser", "username", "$response.body#/data/username", []string{"getUser", "updateUser", "patchUser", "deleteUser"}},
	{"deleteUser", "username", "$request.path.username", []string{"getUser"}},
	{"createSearchIndex", "name", "$response.body#/data/name", []string{"getSearchIndex", "deleteSearchIndex"}},
	{"deleteSearchIndex", "name", "$request.path.name", []string{"getSearchIndex"}},
	{"createIndex", "name", "$response.body#/data/name", []string{"getIndex", "deleteIndex"}},
	{"deleteIndex", "name", "$request.path.name", []string{"getIndex"}},
	{"listNodes", "cursor", "$response.body#/meta/page/next_cursor", []string{"listNodes"}},
	{"listEdges", "cursor", "$response.body#/meta/page/next_cursor", []string{"listEdges"}},
	{"search", "cursor", "$response.body#/meta/page/next_cursor", []string{"search"}},
}

func addLinks(doc *openapi3.T) error {
	operations := map[string]*openapi3.Operation{}
	for _, item := range doc.Paths.Map() {
		for _, o := range item.Operations() {
			if operations[o.OperationID] != nil {
				return fmt.Errorf("two operations have the id %s", o.OperationID)
			}
			operations[o.OperationID] = o
		}
	}
	success := func(id string) (*openapi3.Response, error) {
		if o := operations[id]; o != nil {
			for _, status := range []string{"201", "200"} {
				if r := o.Responses.Value(status); r != nil {
					return r.Value, nil
				}
			}
		}
		return nil, fmt.Errorf("links: there is no operation %s", id)
	}
	add := func(from, to string, link openapi3.Link) error {
		if operations[to] == nil {
			return fmt.Errorf("links: there is no operation %s", to)
		}
		r, err := success(from)
		if err != nil {
			return err
		}
		if r.Links == nil {
			r.Links = openapi3.Links{}
		}
		link.OperationID = to
		r.Links[to] = &openapi3.LinkRef{Value: &link}
		return nil
	}
	for _, l := range links {
		for _, to := range l.to {
			if err := add(l.from, to, openapi3.Link{Parameters: map[string]any{l.parameter: l.value}}); err != nil {
				return err
			}
		}
	}
	// The created node can be both ends of an edge.
	id := "$response.body#/data/id"
	return add("createNode", "createEdge", openapi3.Link{RequestBody: map[string]any{
		"type": "KNOWS", "source_id": id, "target_id": id, "properties": map[string]any{},
	}})
}
