package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var declarationRules = []rule{
	{"a declaration can be created, read, listed, replaced and deleted", declarationLife},
	{"an invalid declaration is rejected with its problems, and nothing is declared", declarationInvalid},
	{"a create that violates its declaration is rejected with one detail per property, and creates nothing", declaredCreates},
	{"a declaration's level determines which updates are checked", declaredLevels},
	{"an edge of a declared type may only connect the declared node types", declaredEnds},
	{"a unique key is a constraint that is created and dropped with the declaration; duplicates are a CONFLICT", declaredKeys},
	{"a constraint that an analyst created is kept when the declaration is deleted", declaredForeignKeys},
	{"imported entities are checked against their declarations line by line", declaredImports},
	{"a node with several labels has the declared one as its type, and is checked against each declared label", declaredLabels},
	{"the violations of a declaration are counted and listed in pages, whatever its level", declaredViolations},
	{"a draft from the data accepts that data, and can be declared unchanged", declaredDraft},
	{"a draft enumerates the texts of a property that has few different ones", declaredDraftOfTexts},
	{"the schema shows declared and observed properties", declaredSchema},
	{"every type of value can be declared, and integers keep 64 bits", declaredValues},
}

const airportSchema = `{"properties":{"code":{"type":"string","pattern":"^[A-Z]{3}$"},"opened":{"neo4jType":"Date"},` +
	`"runways":{"minimum":1,"type":"integer"}},"required":["code"],"additionalProperties":false}`

func airports(level graph.DeclarationLevel) graph.Declaration {
	return graph.Declaration{Kind: graph.NodeKind, Type: "Airport", Level: level, Schema: airportSchema}
}

func (h Harness) declare(t testing.TB, d graph.Declaration) graph.DeclaredType {
	t.Helper()
	made, _, err := h.Types.Declare(context.Background(), d)
	require.NoError(t, err)
	return made
}

func (h Harness) createNode(typ graph.TypeName, p graph.Properties) error {
	_, err := h.Nodes.CreateNode(context.Background(), graph.NewNode{Type: typ, Properties: p})
	return err
}

func (h Harness) updateNode(id string, p graph.Properties) error {
	_, err := h.Nodes.UpdateNode(context.Background(), id, graph.Change{Properties: p})
	return err
}

func declarationLife(t *testing.T, h Harness) {
	ctx := context.Background()
	all, err := h.Types.DeclaredTypes(ctx)
	require.NoError(t, err)
	require.Empty(t, all)
	_, err = h.Types.DeclaredType(ctx, graph.NodeKind, "Airport")
	requireCode(t, fault.NotFound, err)
	requireCode(t, fault.NotFound, h.Types.Undeclare(ctx, graph.NodeKind, "Airport"))

	route := graph.Declaration{
		Kind: graph.EdgeKind, Type: "A/ROUTE", Level: graph.LevelNew, Schema: `{}`, Unique: [][]string{{"number"}, {"a", "b"}},
		SourceTypes: []graph.TypeName{"Airport"}, TargetTypes: []graph.TypeName{"Airport", "Heli`port"},
	}
	_, created, err := h.Types.Declare(ctx, route)
	require.NoError(t, err)
	require.True(t, created)
	made := h.declare(t, airports(graph.LevelStrict))
	require.False(t, made.UpdatedAt.IsZero())
	all, err = h.Types.DeclaredTypes(ctx)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, made, all[0])
	require.Equal(t, route, all[1].Declaration)

	again, created, err := h.Types.Declare(ctx, airports(graph.LevelNone))
	require.NoError(t, err)
	require.False(t, created)
	read, err := h.Types.DeclaredType(ctx, graph.NodeKind, "Airport")
	require.NoError(t, err)
	require.Equal(t, again, read)
	require.Equal(t, graph.LevelNone, read.Level)
	require.NoError(t, h.Types.Undeclare(ctx, graph.NodeKind, "Airport"))
	_, err = h.Types.DeclaredType(ctx, graph.NodeKind, "Airport")
	requireCode(t, fault.NotFound, err)
}

func declarationInvalid(t *testing.T, h Harness) {
	ctx := context.Background()
	for field, d := range map[string]graph.Declaration{
		"level":                       {Level: "loose", Schema: `{}`},
		"schema.properties.x.patern":  {Level: graph.LevelNew, Schema: `{"properties":{"x":{"patern":"a"}}}`},
		"schema.properties.x.pattern": {Level: graph.LevelNew, Schema: `{"properties":{"x":{"pattern":"("}}}`},
		"schema.$ref":                 {Level: graph.LevelNew, Schema: `{"$ref":"https://example.com/x"}`},
		"schema":                      {Level: graph.LevelNew, Schema: `{"required":["` + h.IDProperty + `"]}`},
		"unique[0]":                   {Level: graph.LevelNew, Schema: `{}`, Unique: [][]string{{h.IDProperty}}},
		"source_types":                {Level: graph.LevelNew, Schema: `{}`, SourceTypes: []graph.TypeName{"A"}},
	} {
		d.Kind, d.Type = graph.NodeKind, "Airport"
		_, _, err := h.Types.Declare(ctx, d)
		requireInvalid(t, err, field)
	}
	all, err := h.Types.DeclaredTypes(ctx)
	require.NoError(t, err)
	require.Empty(t, all)
}

func declaredCreates(t *testing.T, h Harness) {
	unique, err := graph.NewID("Airport")
	require.NoError(t, err)
	airport := graph.TypeName("Airport " + unique) // nobody has made it managed
	declaration := airports(graph.LevelNew)
	declaration.Type = airport
	h.declare(t, declaration)
	requireInvalid(t, h.createNode(airport, graph.Properties{"code": "berlin", "opened": "yesterday", "extra": true}),
		"properties.code", "properties.opened", "properties.extra")
	requireInvalid(t, h.createNode(airport, graph.Properties{"runways": 2.0}), "properties.code", "properties.runways")
	params := map[string]any{"type": string(airport)}
	constraints := "SHOW CONSTRAINTS YIELD labelsOrTypes WHERE labelsOrTypes = [$type] RETURN count(*)"
	require.EqualValues(t, 0, h.one(t, "MATCH (n) WHERE $type IN labels(n) RETURN count(n)", params))
	require.EqualValues(t, 0, h.one(t, constraints, params))
	made := h.node(t, airport, graph.Properties{"code": "BER", "opened": graph.Date{Days: 18566}, "runways": int64(2)})
	require.EqualValues(t, airport, made.Type)
	require.EqualValues(t, 1, h.one(t, constraints, params))
	h.node(t, "Other", graph.Properties{"code": "berlin"})
}

func declaredLevels(t *testing.T, h Harness) {
	good := h.node(t, "Airport", graph.Properties{"code": "BER"}).ID
	bad := h.node(t, "Airport", graph.Properties{"code": "berlin"}).ID
	analysts := h.element(t, "CREATE (n:Airport {code: 'x'}) RETURN elementId(n)", nil)
	for _, c := range []struct {
		level               graph.DeclarationLevel
		create, spoil, keep bool // refused
	}{
		{graph.LevelNone, false, false, false},
		{graph.LevelNew, true, false, false},
		{graph.LevelModerate, true, true, false},
		{graph.LevelStrict, true, true, true},
	} {
		h.declare(t, airports(c.level))
		require.Equal(t, c.create, h.createNode("Airport", graph.Properties{"code": "no"}) != nil, c.level)
		err := h.updateNode(good, graph.Properties{"code": "bad", "runways": nil})
		if c.spoil {
			requireInvalid(t, err, "properties.code")
		} else {
			require.NoError(t, err)
		}
		for i, id := range []string{bad, analysts} {
			err = h.updateNode(id, graph.Properties{"runways": int64(10 + i + len(c.level))})
			if c.keep {
				requireInvalid(t, err, "properties.code")
			} else {
				require.NoError(t, err)
			}
			require.NoError(t, h.updateNode(id, nil), "what changes nothing")
		}
		require.NoError(t, h.updateNode(good, graph.Properties{"code": "BER"}))
	}
	require.NoError(t, h.updateNode(bad, graph.Properties{"code": "MUC", "runways": int64(3)}), "mended")
	read, err := h.Nodes.Node(context.Background(), bad)
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"code": "MUC", "runways": int64(3)}, read.Properties)
	_, err = h.Nodes.UpdateNode(context.Background(), good, graph.Change{
		Properties: graph.Properties{"code": "bad"}, If: graph.Precondition{Any: true},
	})
	requireInvalid(t, err, "properties.code")
}

func declaredEnds(t *testing.T, h Harness) {
	ctx := context.Background()
	a, b := h.node(t, "Airport", nil).ID, h.element(t, "CREATE (n:Old:Airport) RETURN elementId(n)", nil)
	city := h.node(t, "City", nil).ID
	wrong := h.edge(t, "ROUTE", city, a, nil).ID
	h.declare(t, graph.Declaration{
		Kind: graph.EdgeKind, Type: "ROUTE", Level: graph.LevelStrict, Schema: `{"properties":{"km":{"type":"integer"}}}`,
		SourceTypes: []graph.TypeName{"Airport"}, TargetTypes: []graph.TypeName{"Airport", "Station"},
	})
	right := h.edge(t, "ROUTE", a, b, graph.Properties{"km": int64(1)}).ID
	h.edge(t, "ROUTE", b, b, nil)
	h.edge(t, "OTHER", city, city, nil)
	_, err := h.Edges.CreateEdge(ctx, graph.NewEdge{Type: "ROUTE", SourceID: city, TargetID: city, Properties: graph.Properties{"km": "1"}})
	requireInvalid(t, err, "source_id", "target_id", "properties.km")
	_, err = h.Edges.CreateEdge(ctx, graph.NewEdge{Type: "ROUTE", SourceID: city, TargetID: "nothing"})
	requireInvalid(t, err, "target_id")
	_, err = h.Edges.UpdateEdge(ctx, right, graph.Change{Properties: graph.Properties{"km": 1.5}})
	requireInvalid(t, err, "properties.km")
	_, err = h.Edges.UpdateEdge(ctx, right, graph.Change{Properties: graph.Properties{"km": int64(2)}})
	require.NoError(t, err)
	_, err = h.Edges.UpdateEdge(ctx, wrong, graph.Change{Properties: graph.Properties{"km": int64(2)}})
	requireInvalid(t, err, "source_id")
	_, err = h.Edges.DeleteEdge(ctx, wrong, graph.Removal{})
	require.NoError(t, err)
}

func declaredKeys(t *testing.T, h Harness) {
	ctx := context.Background()
	h.node(t, "Airport", graph.Properties{"code": "BER", "name": "A"})
	twin := h.node(t, "Airport", graph.Properties{"code": "BER", "name": "B"}).ID
	d := graph.Declaration{Kind: graph.NodeKind, Type: "Airport", Level: graph.LevelNone, Schema: `{}`, Unique: [][]string{{"name"}, {"code"}}}
	_, _, err := h.Types.Declare(ctx, d)
	requireCode(t, fault.Conflict, err)
	require.Equal(t, "unique[1]", fault.As(err).Details[0].Field)
	_, err = h.Types.DeclaredType(ctx, graph.NodeKind, "Airport")
	requireCode(t, fault.NotFound, err)
	require.NoError(t, h.createNode("Airport", graph.Properties{"name": "A"}), "no constraint is left behind")

	h.Cypher(t, "MATCH (n:Airport) WHERE n.code IS NULL DELETE n", nil)
	require.NoError(t, h.updateNode(twin, graph.Properties{"code": "SXF"}))
	d.Unique = [][]string{{"code"}, {"name", "city"}}
	h.declare(t, d)
	keys, err := h.Types.UniqueKeys(ctx, d)
	require.NoError(t, err)
	require.Equal(t, []graph.UniqueKey{
		{Properties: []string{"code"}, State: graph.KeyEnforced}, {Properties: []string{"name", "city"}, State: graph.KeyEnforced},
	}, keys)
	requireCode(t, fault.Conflict, h.createNode("Airport", graph.Properties{"code": "BER"}))
	requireCode(t, fault.Conflict, h.updateNode(twin, graph.Properties{"code": "BER"}))
	require.NoError(t, h.createNode("Airport", graph.Properties{"name": "C", "city": "X"}))
	requireCode(t, fault.Conflict, h.createNode("Airport", graph.Properties{"name": "C", "city": "X"}))

	d.Unique = d.Unique[1:]
	h.declare(t, d)
	require.NoError(t, h.createNode("Airport", graph.Properties{"code": "BER"}))
	requireCode(t, fault.Conflict, h.createNode("Airport", graph.Properties{"name": "C", "city": "X"}))
	require.NoError(t, h.Types.Undeclare(ctx, graph.NodeKind, "Airport"))
	require.NoError(t, h.createNode("Airport", graph.Properties{"name": "C", "city": "X"}))
}

func declaredForeignKeys(t *testing.T, h Harness) {
	ctx := context.Background()
	h.Cypher(t, "CREATE CONSTRAINT theirs FOR ()-[r:ROUTE]-() REQUIRE r.number IS UNIQUE", nil)
	d := graph.Declaration{Kind: graph.EdgeKind, Type: "ROUTE", Level: graph.LevelNew, Schema: `{}`, Unique: [][]string{{"number"}}}
	h.declare(t, d)
	keys, err := h.Types.UniqueKeys(ctx, d)
	require.NoError(t, err)
	require.Equal(t, graph.KeyForeign, keys[0].State)
	require.NoError(t, h.Types.Undeclare(ctx, graph.EdgeKind, "ROUTE"))
	require.EqualValues(t, 1, h.one(t, "SHOW CONSTRAINTS YIELD name WHERE name = 'theirs' RETURN count(*)", nil))
	h.declare(t, d)
	h.Cypher(t, "DROP CONSTRAINT theirs", nil)
	keys, err = h.Types.UniqueKeys(ctx, d)
	require.NoError(t, err)
	require.Equal(t, graph.KeyMissing, keys[0].State)
	h.declare(t, d)
	keys, err = h.Types.UniqueKeys(ctx, d)
	require.NoError(t, err)
	require.Equal(t, graph.KeyEnforced, keys[0].State)
}

func declaredImports(t *testing.T, h Harness) {
	h.declare(t, airports(graph.LevelStrict))
	h.declare(t,
		graph.Declaration{Kind: graph.EdgeKind, Type: "ROUTE", Level: graph.LevelNew, Schema: `{}`, TargetTypes: []graph.TypeName{"Airport"}})
	node := func(number int64, id, ref string, p graph.Properties, labels ...graph.TypeName) graph.BulkLine {
		return graph.BulkLine{Number: number, Node: &graph.BulkNode{ID: id, Ref: ref, Labels: labels, Properties: p}}
	}
	edge := func(number int64, source, target string) graph.BulkLine {
		return graph.BulkLine{
			Number: number, Edge: &graph.BulkEdge{Type: "ROUTE", Source: graph.BulkEnd{Ref: source}, Target: graph.BulkEnd{Ref: target}},
		}
	}
	kept, other := "00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"
	tally, err := h.Bulk.Import(graph.OnConflictError, []graph.BulkLine{
		node(1, kept, "a", graph.Properties{"code": "BER"}, "Airport"),
		node(2, "", "b", graph.Properties{"code": "berlin"}, "Airport"),
		node(3, "", "c", graph.Properties{"code": int64(1)}, "City", "Airport"),
		node(4, other, "d", graph.Properties{"code": "berlin"}, "City"),
		edge(5, "d", "a"), edge(6, "a", "d"),
	})
	require.NoError(t, err)
	require.Equal(t, map[int64][]string{2: {"properties.code"}, 3: {"properties.code"}, 6: {"target_id"}}, failedFields(tally))
	tally, err = h.Bulk.Import(graph.OnConflictMerge, []graph.BulkLine{
		node(1, kept, "", graph.Properties{"runways": int64(0)}, "Airport"),
		node(2, other, "", graph.Properties{"runways": int64(0)}, "City"),
	})
	require.NoError(t, err)
	require.Equal(t, map[int64][]string{1: {"properties.runways"}}, failedFields(tally))
	tally, err = h.Bulk.Import(graph.OnConflictMerge, []graph.BulkLine{node(1, kept, "", graph.Properties{"runways": int64(3)}, "Airport")})
	require.NoError(t, err)
	require.Empty(t, failedFields(tally))
	require.EqualValues(t, 3, h.one(t, "MATCH (n:Airport) RETURN n.runways", nil))
}

func declaredLabels(t *testing.T, h Harness) {
	// The database reports labels in the order in which it got to know them.
	h.Cypher(t, "CALL db.createLabel('LabelsA') CALL db.createLabel('LabelsB') CALL db.createLabel('LabelsC')", nil)
	id := h.element(t, "CREATE (n:LabelsA:LabelsB:LabelsC {code: 'BER'}) RETURN elementId(n)", nil)
	read := func() graph.Node {
		n, err := h.Nodes.Node(context.Background(), id)
		require.NoError(t, err)
		return n
	}
	before := read()
	require.Equal(t, "LabelsA", before.Type)
	second := airports(graph.LevelStrict)
	second.Type = "LabelsB"
	h.declare(t, second)
	require.Equal(t, "LabelsB", read().Type)
	require.Equal(t, before.Labels, read().Labels)
	require.NotEqual(t, before.Revision(), func() graph.Revision { n := read(); return n.Revision() }(), "clients see another content")
	h.declare(t, graph.Declaration{Kind: graph.NodeKind, Type: "LabelsC", Level: graph.LevelStrict, Schema: `{"required":["animals"]}`})
	requireInvalid(t, h.updateNode(id, graph.Properties{"code": "berlin"}), "properties.code", "properties.animals")
	require.NoError(t, h.updateNode(id, graph.Properties{"code": "BER"}))
	checkListedUnderDeclared(t, h, id)
}

// checkListedUnderDeclared: lists, degrees and connections use the same type.
func checkListedUnderDeclared(t *testing.T, h Harness, id string) {
	ctx := context.Background()
	first := h.node(t, "LabelsA", nil).ID
	h.Cypher(t, "MATCH (a:LabelsA {uuid: $first}) MATCH (b:LabelsB) CREATE (a)-[:LABELLED]->(b)", map[string]any{"first": first})
	var listed []string
	page := graph.Paging{Limit: 1, Count: true}
	for {
		found, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Paging: page})
		require.NoError(t, err)
		require.EqualValues(t, 2, *found.Total)
		listed = append(listed, nodeIDs(found.Items)...)
		if found.Next == nil {
			break
		}
		page.After = found.Next
	}
	require.Equal(t, []string{first, id}, listed, "LabelsA before LabelsB")
	for _, typ := range []graph.TypeName{"LabelsA", "LabelsB", "LabelsC"} {
		found, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Type: typ, Paging: graph.Paging{Limit: 5}})
		require.NoError(t, err)
		require.Contains(t, nodeIDs(found.Items), id, "whatever its type, a node is found by each of its labels")
	}
	degree, err := h.Explorer.Degree(ctx, first)
	require.NoError(t, err)
	require.Equal(t, "LabelsB", degree.Counts[0].NodeType)
	require.Equal(t, []graph.Connection{{SourceType: "LabelsA", TargetType: "LabelsB", Count: 1}}, h.schema(t).EdgeTypes[0].Connections)
}
