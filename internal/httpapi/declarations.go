package httpapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// pathKinds maps the names of kinds in paths and responses, as in /api/schema/nodes.
var pathKinds = map[string]graph.Kind{"nodes": graph.NodeKind, "edges": graph.EdgeKind}

func pathKind(k graph.Kind) string {
	if k == graph.EdgeKind {
		return "edges"
	}
	return "nodes"
}

func declaredTypeDocument(d graph.DeclaredType, keys []graph.UniqueKey) DeclaredTypeDocument {
	return DeclaredTypeDocument{
		Kind: pathKind(d.Kind), Type: string(d.Type), Level: string(d.Level), Schema: json.RawMessage(d.Schema),
		Unique:      mapSlice(d.Unique, func(key []string) []string { return nonNil(key) }),
		SourceTypes: mapSlice(d.SourceTypes, typeNameText), TargetTypes: mapSlice(d.TargetTypes, typeNameText),
		UniqueKeys: mapSlice(keys, func(k graph.UniqueKey) UniqueKey { return UniqueKey{Properties: k.Properties, State: string(k.State)} }),
		UpdatedAt:  d.UpdatedAt.UTC(),
	}
}

func typeNameText(t graph.TypeName) string { return string(t) }

// readPathType reads the kind and the type from the path. NOT_FOUND for an unknown kind.
func (c *call) readPathType() (graph.Kind, graph.TypeName, error) {
	kind, known := pathKinds[c.readPathValue("kind")]
	if !known {
		return "", "", notFound()
	}
	name, f := graph.ParseTypeName("type", c.readPathValue("type"))
	c.addProblem(f)
	return kind, name, nil
}

// listDeclaredTypes answers GET /api/admin/types.
//
//	@Summary		List the declared types
//	@Description	Node types before edge types, each by name.
//	@Tags			Declared types
//	@Success		200	{object}	ListAnswer[DeclaredTypeDocument]
//	@Router			/api/admin/types [get]
func (a *API) listDeclaredTypes(c *call) error {
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	types, err := a.options.Types.DeclaredTypes(c.ctx())
	if err != nil {
		return err
	}
	found := pageOfTypes(page, types, func(d graph.DeclaredType) (graph.Kind, graph.TypeName) { return d.Kind, d.Type })
	sendList(c, page, found, func(dst []byte, d *graph.DeclaredType) []byte { return appendJSON(declaredTypeDocument(*d, nil))(dst) })
	return nil
}

// pageOfTypes is a page of what there is for types, all of which are in memory: nodes before edges, each by type name.
func pageOfTypes[T any](page pageRequest, all []T, typeOf func(T) (graph.Kind, graph.TypeName)) graph.Page[T] {
	total := int64(len(all))
	var rest []T
	if page.after != nil {
		at := slices.IndexFunc(all, func(item T) bool {
			kind, name, _ := strings.Cut(string(page.after), " ")
			k, t := typeOf(item)
			return pathKind(k) < kind || pathKind(k) == kind && string(t) > name // "nodes" come before "edges"
		})
		if at < 0 {
			at = len(all)
		}
		rest = all[at:]
	} else {
		rest = all[min(page.offset, total):]
	}
	found := graph.Page[T]{Items: rest, Total: &total}
	if len(rest) > page.limit {
		found.Items = rest[:page.limit]
		k, t := typeOf(found.Items[page.limit-1])
		found.Next = graph.Position(pathKind(k) + " " + string(t))
	}
	return found
}

// getDeclaredType answers GET /api/admin/types/{kind}/{type}.
//
//	@Summary		Read a declaration
//	@Description	unique_keys shows the state of each unique key: enforced by a constraint that the declaration created, foreign if it is enforced by a constraint
//	@Description	that existed before and stays, missing if the constraint was dropped; declaring the type again creates it again.
//	@Tags			Declared types
//	@Param			kind	path	string	true	"nodes or edges"	Enums(nodes, edges)
//	@Param			type	path	string	true	"Name of the type"	example(Airport)
//	@Success		200	{object}	Answer[DeclaredTypeDocument]
//	@Router			/api/admin/types/{kind}/{type} [get]
func (a *API) getDeclaredType(c *call) error {
	kind, name, err := c.readPathType()
	if err != nil {
		return err
	}
	if err := c.validate(); err != nil {
		return err
	}
	d, err := a.options.Types.DeclaredType(c.ctx(), kind, name)
	if err != nil {
		return err
	}
	return c.sendDeclared(http.StatusOK, d)
}

func (c *call) sendDeclared(status int, d graph.DeclaredType) error {
	keys, err := c.api.options.Types.UniqueKeys(c.ctx(), d.Declaration)
	if err != nil {
		return err
	}
	c.send(status, appendJSON(declaredTypeDocument(d, keys)))
	return nil
}

// declareType answers PUT /api/admin/types/{kind}/{type}.
//
//	@Summary		Declare a type
//	@Description	Creates or replaces the whole declaration. schema is a JSON Schema (draft 2020-12) of the properties, with the additional keyword
//	@Description	neo4jType: "Date", "List<Point>" or a list of such names. "integer" means an integer, which 1.0 is not. Unknown keywords and
//	@Description	references to other documents are rejected.
//	@Description
//	@Description	level: none only stores the declaration; new validates created entities; moderate also validates updates, except those of entities that
//	@Description	already violated the declaration; strict validates every update. unique keys are constraints in the database, whatever the level.
//	@Description	source_types and target_types limit the types of an edge's ends; empty allows any.
//	@Description	The declaration applies immediately on this replica, and on other replicas within a second.
//	@Tags			Declared types
//	@Param			kind	path	string	true	"nodes or edges"	Enums(nodes, edges)
//	@Param			type	path	string	true	"Name of the type"	example(Airport)
//	@Param			body	body	DeclarationBody	true	"The declaration"
//	@Success		200	{object}	Answer[DeclaredTypeDocument]	"Replaced"
//	@Success		201	{object}	Answer[DeclaredTypeDocument]	"Created"
//	@Header			201	{string}	Location	"Path of the declaration"
//	@Failure		409	"CONFLICT: the values of a unique key are not unique, or an index prevents its constraint"
//	@Router			/api/admin/types/{kind}/{type} [put]
func (a *API) declareType(c *call) error {
	kind, name, err := c.readPathType()
	if err != nil {
		return err
	}
	o := c.parseObject()
	d := graph.Declaration{Kind: kind, Type: name}
	if o != nil {
		readDeclaration(o, &d)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	made, created, err := a.options.Types.Declare(c.ctx(), d)
	if err != nil {
		return err
	}
	if !created {
		return c.sendDeclared(http.StatusOK, made)
	}
	c.setLocation("/api/admin/types/"+pathKind(kind), string(name))
	return c.sendDeclared(http.StatusCreated, made)
}

// readDeclaration reads a declaration's members. It ignores the other members of a response, so that one can be sent back.
func readDeclaration(o *typedjson.Object, d *graph.Declaration) {
	if kind, given := o.OptionalString("kind"); given && kind != pathKind(d.Kind) {
		o.Invalid("kind", "must be equal to that of the path, or be left out")
	}
	if name, given := o.OptionalString("type"); given && name != string(d.Type) {
		o.Invalid("type", "must be equal to that of the path, or be left out")
	}
	d.Level = graph.DeclarationLevel(o.String("level"))
	schema, given := o.Tree("schema")
	if !given {
		o.Invalid("schema", "is required")
	}
	d.Schema = string(typedjson.AppendTree(nil, schema))
	d.Unique = uniqueKeys(o)
	d.SourceTypes, d.TargetTypes = endTypes(o, "source_types"), endTypes(o, "target_types")
	o.Null("unique_keys")
	o.Null("updated_at")
}

// uniqueKeys reads a list of lists of property names.
func uniqueKeys(o *typedjson.Object) [][]string {
	tree, given := o.Tree("unique")
	if !given {
		return nil
	}
	keys, good := tree.([]any)
	var unique [][]string
	for _, key := range keys {
		names, is := key.([]any)
		good = good && is
		properties := []string{}
		for _, name := range names {
			text, is := name.(string)
			good = good && is
			properties = append(properties, text)
		}
		unique = append(unique, properties)
	}
	if !good {
		o.Invalid("unique", `must be a list of lists of property names, such as [["code"],["name","country"]]`)
	}
	return unique
}

func endTypes(o *typedjson.Object, member string) []graph.TypeName {
	var types []graph.TypeName
	names, _ := o.OptionalStrings(member)
	for _, name := range names {
		t, f := graph.ParseTypeName(member, name)
		o.Add(f)
		types = append(types, t)
	}
	return types
}

// undeclareType answers DELETE /api/admin/types/{kind}/{type}.
//
//	@Summary		Remove a declaration
//	@Description	The data stays, and so do constraints that the declaration did not create.
//	@Tags			Declared types
//	@Param			kind	path	string	true	"nodes or edges"	Enums(nodes, edges)
//	@Param			type	path	string	true	"Name of the type"	example(Airport)
//	@Success		200	{object}	Answer[UndeclaredDocument]
//	@Router			/api/admin/types/{kind}/{type} [delete]
func (a *API) undeclareType(c *call) error {
	kind, name, err := c.readPathType()
	if err != nil {
		return err
	}
	if err := c.validate(); err != nil {
		return err
	}
	if err := a.options.Types.Undeclare(c.ctx(), kind, name); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(UndeclaredDocument{Kind: pathKind(kind), Type: string(name), Deleted: true}))
	return nil
}

// proposeType answers POST /api/admin/types/{kind}/{type}/propose.
//
//	@Summary		Draft a declaration from the data
//	@Description	Needs the permission read as well. Writes nothing. The draft allows the observed properties with their observed types, requires those that all entities have,
//	@Description	lists unique properties as keys, and writes an enum for string properties with few values that repeat. On a large graph it is based on a sample, whose size is sampled.
//	@Tags			Declared types
//	@Param			kind	path	string	true	"nodes or edges"	Enums(nodes, edges)
//	@Param			type	path	string	true	"Name of the type"	example(Airport)
//	@Success		200	{object}	Answer[ProposalDocument]
//	@Router			/api/admin/types/{kind}/{type}/propose [post]
func (a *API) proposeType(c *call) error {
	kind, name, err := c.readPathType()
	if err != nil {
		return err
	}
	if err := c.validate(); err != nil {
		return err
	}
	p, err := a.options.Types.Propose(c.ctx(), kind, name)
	if err != nil {
		return err
	}
	d := declaredTypeDocument(graph.DeclaredType{Declaration: p.Declaration, UpdatedAt: time.Time{}}, nil)
	c.send(http.StatusOK, appendJSON(ProposalDocument{
		Declaration: DeclarationBody{
			Kind: d.Kind, Type: d.Type, Level: d.Level, Schema: d.Schema, Unique: d.Unique, SourceTypes: d.SourceTypes, TargetTypes: d.TargetTypes,
		},
		Count: p.Count, Sampled: p.Sampled,
	}))
	return nil
}

// listViolations answers GET /api/admin/types/{kind}/{type}/violations.
//
//	@Summary		List violations of a declaration
//	@Description	Needs the permission read as well. Validates all entities of the type against the declaration, whatever its level; meta.page.total is the number of violations. Every page
//	@Description	reads all of them, within the timeout for queries (504).
//	@Tags			Declared types
//	@Param			kind	path	string	true	"nodes or edges"	Enums(nodes, edges)
//	@Param			type	path	string	true	"Name of the type"	example(Airport)
//	@Success		200	{object}	ListAnswer[ViolationDocument]
//	@Header			200	{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/admin/types/{kind}/{type}/violations [get]
func (a *API) listViolations(c *call) error {
	kind, name, err := c.readPathType()
	if err != nil {
		return err
	}
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.Types.Violations(c.ctx(), kind, name, page.toPaging())
	if err != nil {
		return err
	}
	sendList(c, page, found.Page, func(dst []byte, v *graph.Violation) []byte {
		return appendJSON(ViolationDocument{
			ID: v.ID,
			Problems: mapSlice(
				v.Problems[:min(len(v.Problems), fault.MaxDetails)], func(d fault.Detail) ErrorDetail { return ErrorDetail(d) },
			),
		})(dst)
	})
	return nil
}
