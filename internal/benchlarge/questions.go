package benchlarge

import "fmt"

// question is one query of the graph: the request to the gateway, and the Cypher that an analyst would
// write for it. In both, names are placeholders of facts: {name} in the path, $name in the Cypher.
type question struct {
	Name string
	Path string
	// Body makes it a POST request; in it, too, {name} is a fact.
	Body string
	// Cypher is empty if the question has no equivalent in Cypher.
	Cypher string
	// As names a user with roles who asks; the other side is then the user who may read everything, at the gateway as well.
	As string
	// Index is an index statement; the index exists while the question is measured.
	Index string
	// Cursors are the facts that the question needs and that must be found with the gateway first.
	Cursor *cursorAt
}

// cursorAt is a position in a list: the cursor of the page after a number of entities, or after a share of them.
type cursorAt struct {
	List     string
	Entities int
	Share    float64
	// Of is the pattern that counts the entities of the list.
	Of string
}

const (
	pageSize     = 100
	nodesOf      = "/api/nodes?type="
	edgesOf      = "/api/edges?type="
	cursorSuffix = "&cursor={cursor}"
)

// inCypher returns a question with its Cypher.
func inCypher(name, path, cypher string) question {
	return question{Name: name, Path: path, Cypher: cypher}
}

func allQuestions() []question {
	var all []question
	all = append(all, pageQuestions()...)
	all = append(all, filterQuestions()...)
	all = append(all, sortQuestions()...)
	all = append(all, countQuestions()...)
	all = append(all, hubQuestions()...)
	all = append(all, pathQuestions()...)
	all = append(all, searchQuestions()...)
	all = append(all, schemaQuestions()...)
	all = append(all, matchQuestions()...)
	return append(all, ruledQuestions()...)
}

func pageQuestions() []question {
	all := []question{
		inCypher("all nodes, first page", "/api/nodes", "MATCH (n) RETURN n LIMIT 100"),
		inCypher("all edges, first page", "/api/edges", "MATCH ()-[r]->() RETURN r LIMIT 100"),
	}
	for _, rank := range []struct {
		name, nodes, edges string
	}{
		{"largest", nodeTypes[0], edgeTypes[0]},
		{"middle", nodeTypes[typeCount/2], edgeTypes[typeCount/2]},
		{"smallest", nodeTypes[typeCount-1], edgeTypes[typeCount-1]},
	} {
		nodes, edges := "MATCH (n:"+rank.nodes+") RETURN n", "MATCH ()-[r:"+rank.edges+"]->() RETURN r"
		all = append(all,
			inCypher(rank.name+" node type, first page", nodesOf+rank.nodes, nodes+" LIMIT 100"),
			inCypher(rank.name+" edge type, first page", edgesOf+rank.edges, edges+" LIMIT 100"))
		if rank.name == "smallest" {
			continue // it has one page
		}
		all = append(all,
			question{
				Name: rank.name + " node type, second page", Path: nodesOf + rank.nodes + cursorSuffix, Cypher: nodes + " SKIP 100 LIMIT 100",
				Cursor: &cursorAt{List: nodesOf + rank.nodes, Entities: pageSize},
			},
			question{
				Name: rank.name + " edge type, second page", Path: edgesOf + rank.edges + cursorSuffix, Cypher: edges + " SKIP 100 LIMIT 100",
				Cursor: &cursorAt{List: edgesOf + rank.edges, Entities: pageSize},
			})
		for _, depth := range []struct {
			name  string
			share float64
		}{{"1 %", 0.01}, {"50 %", 0.5}, {"99 %", 0.99}} {
			all = append(all,
				question{
					Name: rank.name + " node type, page at " + depth.name, Path: nodesOf + rank.nodes + cursorSuffix,
					Cursor: &cursorAt{List: nodesOf + rank.nodes, Share: depth.share, Of: "(:" + rank.nodes + ")"},
				},
				question{
					Name: rank.name + " edge type, page at " + depth.name, Path: edgesOf + rank.edges + cursorSuffix,
					Cursor: &cursorAt{List: edgesOf + rank.edges, Share: depth.share, Of: "()-[:" + rank.edges + "]->()"},
				})
		}
	}
	return all
}

func filterQuestions() []question {
	const (
		nodes = "MATCH (n:Person) WHERE n.status = $%s RETURN n LIMIT 100"
		edges = "MATCH ()-[r:KNOWS]->() WHERE r.status = $%s RETURN r LIMIT 100"
	)
	var all []question
	for _, value := range []struct{ fact, name string }{{"common", "many match"}, {"rare", "few match"}, {"none", "none matches"}} {
		all = append(all,
			inCypher("filter on nodes, "+value.name, nodesOf+"{largest}&filter[status]={"+value.fact+"}",
				fmt.Sprintf(nodes, value.fact)),
			inCypher("filter on edges, "+value.name, edgesOf+"{LARGEST}&filter[status]={"+value.fact+"}",
				fmt.Sprintf(edges, value.fact)))
	}
	return append(all,
		inCypher("filter on nodes, one in a hundred matches", nodesOf+"{largest}&filter[age]=33",
			"MATCH (n:Person) WHERE n.age = 33 RETURN n LIMIT 100"),
		inCypher("filter on edges, one in a hundred matches", edgesOf+"{LARGEST}&filter[weight][lt]=10",
			"MATCH ()-[r:KNOWS]->() WHERE r.weight < 10 RETURN r LIMIT 100"),
		inCypher("filter on all nodes, one in a hundred matches", "/api/nodes?filter[age]=33", "MATCH (n) WHERE n.age = 33 RETURN n LIMIT 100"),
		inCypher("filter on all edges, one in a hundred matches", "/api/edges?filter[weight][lt]=10",
			"MATCH ()-[r]->() WHERE r.weight < 10 RETURN r LIMIT 100"))
}

func sortQuestions() []question {
	return []question{
		inCypher("sort of nodes", nodesOf+"{largest}&sort=score", "MATCH (n:Person) RETURN n ORDER BY n.score LIMIT 100"),
		inCypher("sort of nodes, descending", nodesOf+"{largest}&sort=-score", "MATCH (n:Person) RETURN n ORDER BY n.score DESC LIMIT 100"),
		inCypher("sort of nodes by text", nodesOf+"{largest}&sort=name", "MATCH (n:Person) RETURN n ORDER BY n.name LIMIT 100"),
		inCypher("sort of edges", edgesOf+"{LARGEST}&sort=weight", "MATCH ()-[r:KNOWS]->() RETURN r ORDER BY r.weight LIMIT 100"),
		inCypher("filter and sort of nodes", nodesOf+"{largest}&filter[age]=33&sort=-score",
			"MATCH (n:Person) WHERE n.age = 33 RETURN n ORDER BY n.score DESC LIMIT 100"),
		inCypher("filter and sort of edges", edgesOf+"{LARGEST}&filter[status]={rare}&sort=weight",
			"MATCH ()-[r:KNOWS]->() WHERE r.status = $rare RETURN r ORDER BY r.weight LIMIT 100"),
		{
			Name: "sort of nodes with a range index", Path: nodesOf + "{largest}&sort=score", Index: scoreIndex,
			Cypher: "MATCH (n:Person) WHERE n.score IS NOT NULL RETURN n ORDER BY n.score LIMIT 100",
		},
		{
			Name: "sort of nodes with a range index, descending", Path: nodesOf + "{largest}&sort=-score", Index: scoreIndex,
			Cypher: "MATCH (n:Person) WHERE n.score IS NOT NULL RETURN n ORDER BY n.score DESC LIMIT 100",
		},
		{
			Name: "sort of edges with a range index", Path: edgesOf + "{LARGEST}&sort=weight", Index: weightIndex,
			Cypher: "MATCH ()-[r:KNOWS]->() WHERE r.weight IS NOT NULL RETURN r ORDER BY r.weight LIMIT 100",
		},
		{
			Name: "filter with a range index", Path: nodesOf + "{largest}&filter[score][gt]=999.9", Index: scoreIndex,
			Cypher: "MATCH (n:Person) WHERE n.score > 999.9 RETURN n LIMIT 100",
		},
	}
}

const (
	scoreIndex  = "CREATE INDEX bench_large FOR (n:Person) ON (n.score)"
	weightIndex = "CREATE INDEX bench_large FOR ()-[r:KNOWS]-() ON (r.weight)"
	dropIndex   = "DROP INDEX bench_large"
)

func countQuestions() []question {
	return []question{
		inCypher("count of a node type", nodesOf+"{largest}&limit=1&count=exact", "MATCH (n:Person) RETURN count(n)"),
		inCypher("count of an edge type", edgesOf+"{LARGEST}&limit=1&count=exact", "MATCH ()-[r:KNOWS]->() RETURN count(r)"),
		inCypher("count of all nodes", "/api/nodes?limit=1&count=exact", "MATCH (n) RETURN count(n)"),
		inCypher("count of all edges", "/api/edges?limit=1&count=exact", "MATCH ()-[r]->() RETURN count(r)"),
		inCypher("count of nodes with a filter", nodesOf+"{largest}&limit=1&count=exact&filter[age]=33",
			"MATCH (n:Person) WHERE n.age = 33 RETURN count(n)"),
		inCypher("count of edges with a filter", edgesOf+"{LARGEST}&limit=1&count=exact&filter[weight][lt]=10",
			"MATCH ()-[r:KNOWS]->() WHERE r.weight < 10 RETURN count(r)"),
	}
}

func hubQuestions() []question {
	const hub, ordinary = " WHERE elementId(n) = $hub ", " WHERE elementId(n) = $ordinary "
	sorted := "RETURN r ORDER BY r "
	second := func(list string) *cursorAt { return &cursorAt{List: list, Entities: pageSize} }
	return []question{
		inCypher("edges of an ordinary node", "/api/nodes/{ordinary}/edges", "MATCH (n)-[r]-()"+ordinary+"RETURN r LIMIT 100"),
		inCypher("degree of the hub", "/api/nodes/{hub}/degree",
			"MATCH (n)-[r]-(m)"+hub+"RETURN type(r), startNode(r) = n, labels(m), count(*)"),
		inCypher("edges of the hub, first page", "/api/nodes/{hub}/edges", "MATCH (n)-[r]-()"+hub+sorted+"LIMIT 100"),
		{
			Name: "edges of the hub, second page", Path: "/api/nodes/{hub}/edges?limit=100" + cursorSuffix,
			Cypher: "MATCH (n)-[r]-()" + hub + sorted + "SKIP 100 LIMIT 100",
			Cursor: second("/api/nodes/{hub}/edges?limit=100"),
		},
		inCypher("edges of the hub, of a type", "/api/nodes/{hub}/edges?type={LARGEST}", "MATCH (n)-[r:KNOWS]-()"+hub+sorted+"LIMIT 100"),
		inCypher("edges of the hub, of a rare type", "/api/nodes/{hub}/edges?type={MIDDLE}",
			"MATCH (n)-[r:"+edgeTypes[typeCount/2]+"]-()"+hub+sorted+"LIMIT 100"),
		inCypher("edges of the hub, outgoing", "/api/nodes/{hub}/edges?direction=out", "MATCH (n)-[r]->()"+hub+sorted+"LIMIT 100"),
		inCypher("edges of the hub, incoming of a type", "/api/nodes/{hub}/edges?direction=in&type={LARGEST}",
			"MATCH (n)<-[r:KNOWS]-()"+hub+sorted+"LIMIT 100"),
		inCypher("neighbors of the hub", "/api/nodes/{hub}/neighbors", "MATCH (n)-[r]-(m)"+hub+"RETURN n, r, m LIMIT 100"),
		inCypher("neighbors to depth 2", "/api/nodes/{ordinary}/neighbors?depth=2",
			"MATCH p = (n)-[*1..2]-(m)"+ordinary+"RETURN p LIMIT 100"),
		inCypher("neighbors to depth 3", "/api/nodes/{ordinary}/neighbors?depth=3",
			"MATCH p = (n)-[*1..3]-(m)"+ordinary+"RETURN p LIMIT 100"),
	}
}

func pathQuestions() []question {
	const from = "MATCH (a) WHERE elementId(a) = $ordinary MATCH (b) WHERE elementId(b) = "
	ends := "/api/paths?source_id={ordinary}&target_id="
	return []question{
		inCypher("shortest path between ordinary nodes", ends+"{other}", from+"$other MATCH p = shortestPath((a)-[*..6]-(b)) RETURN p"),
		inCypher("all shortest paths between ordinary nodes", ends+"{other}&all=true",
			from+"$other MATCH p = allShortestPaths((a)-[*..6]-(b)) RETURN p LIMIT 100"),
		inCypher("shortest path of a type, directed", ends+"{other}&edge_type=KNOWS&direction=out&max_depth=12",
			from+"$other MATCH p = shortestPath((a)-[:KNOWS*..12]->(b)) RETURN p"),
		inCypher("shortest path to the hub", ends+"{hub}", from+"$hub MATCH p = shortestPath((a)-[*..6]-(b)) RETURN p"),
		inCypher("all shortest paths to the hub", ends+"{hub}&all=true",
			from+"$hub MATCH p = allShortestPaths((a)-[*..6]-(b)) RETURN p LIMIT 100"),
		inCypher("shortest path of an unreachable pair", ends+"{island}", from+"$island MATCH p = shortestPath((a)-[*..6]-(b)) RETURN p"),
		inCypher("all shortest paths of an unreachable pair", ends+"{island}&all=true",
			from+"$island MATCH p = allShortestPaths((a)-[*..6]-(b)) RETURN p LIMIT 100"),
	}
}

// searchIndex is the name of the full-text index that the benchmark creates through the gateway.
const searchIndex = "large"

func searchQuestions() []question {
	const call = "CALL db.index.fulltext.queryNodes('_Graphrest_search_" + searchIndex + "', "
	const rest = ") YIELD node, score RETURN node, score LIMIT 100"
	return []question{
		inCypher("search for a common word", "/api/search?q=grace", call+"'grace'"+rest),
		inCypher("search for three words", "/api/search?q=ada+lovelace+north", call+"'ada AND lovelace AND north'"+rest),
		inCypher("search for a prefix", "/api/search?q=love*", call+"'love*'"+rest),
		inCypher("search for a word that is not there", "/api/search?q=nobody", call+"'nobody'"+rest),
	}
}

func schemaQuestions() []question {
	return []question{{Name: "schema", Path: schemaPath}}
}

const schemaPath = "/api/schema"
