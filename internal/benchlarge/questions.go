package benchlarge

// question is one query of the graph: the request to the gateway, and the Cypher that an analyst would
// write for it. In both, names are placeholders of facts: {name} in the path, $name in the Cypher.
type question struct {
	Name string
	Path string
	// Cypher is empty if the question has no equivalent in Cypher.
	Cypher string
	// As names a user with roles who asks; the other side is then the user who may read everything, at the gateway as well.
	As   string
	Goal goal
	// Scan reports that the work which the question demands grows with the graph: it requires a scan of its type or all edges of the
	// hub, or its answer has more rows.
	Scan bool
	// Index is an index statement; the index exists while the question is measured.
	Index string
	// Cursors are the facts that the question needs and that must be found with the gateway first.
	Cursor *cursorAt
}

// goal contains the values that the gateway should reach. Zero values are no goals.
type goal struct {
	// Ratio is the largest allowed ratio of the gateway's median to that of the Cypher, or to that of another question at the gateway
	// if Versus names one.
	Ratio  float64
	Versus string
	// Milliseconds and FirstMilliseconds are limits of the gateway's median and of its first answer.
	Milliseconds, FirstMilliseconds float64
	// FirstRatio limits the first answer after the gateway's start to a multiple of the median.
	FirstRatio float64
	// CountStore requires a count from the count store, NoSort a plan without a sort.
	CountStore, NoSort bool
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
	return append(all, ruledQuestions()...)
}

func pageQuestions() []question {
	all := []question{
		{Name: "all nodes, first page", Path: "/api/nodes", Cypher: "MATCH (n) RETURN n LIMIT 100", Goal: goal{Ratio: 3}},
		{Name: "all edges, first page", Path: "/api/edges", Cypher: "MATCH ()-[r]->() RETURN r LIMIT 100", Goal: goal{Ratio: 3}},
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
			question{Name: rank.name + " node type, first page", Path: nodesOf + rank.nodes, Cypher: nodes + " LIMIT 100", Goal: goal{Ratio: 1.5}},
			question{Name: rank.name + " edge type, first page", Path: edgesOf + rank.edges, Cypher: edges + " LIMIT 100", Goal: goal{Ratio: 1.5}})
		if rank.name == "smallest" {
			continue // it has one page
		}
		all = append(all,
			question{
				Name: rank.name + " node type, second page", Path: nodesOf + rank.nodes + cursorSuffix, Cypher: nodes + " SKIP 100 LIMIT 100",
				Goal: goal{Ratio: 1.5}, Cursor: &cursorAt{List: nodesOf + rank.nodes, Entities: pageSize},
			},
			question{
				Name: rank.name + " edge type, second page", Path: edgesOf + rank.edges + cursorSuffix, Cypher: edges + " SKIP 100 LIMIT 100",
				Goal: goal{Ratio: 1.5}, Cursor: &cursorAt{List: edgesOf + rank.edges, Entities: pageSize},
			})
		for _, depth := range []struct {
			name  string
			share float64
		}{{"1 %", 0.01}, {"50 %", 0.5}, {"99 %", 0.99}} {
			all = append(all,
				question{
					Name: rank.name + " node type, page at " + depth.name, Path: nodesOf + rank.nodes + cursorSuffix,
					Goal:   goal{Ratio: 1.2, Versus: rank.name + " node type, first page"},
					Cursor: &cursorAt{List: nodesOf + rank.nodes, Share: depth.share, Of: "(:" + rank.nodes + ")"},
				},
				question{
					Name: rank.name + " edge type, page at " + depth.name, Path: edgesOf + rank.edges + cursorSuffix,
					Goal:   goal{Ratio: 1.2, Versus: rank.name + " edge type, first page"},
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
	for _, value := range []struct {
		fact, name string
		goal       float64
	}{{"common", "many match", 2}, {"rare", "few match", 1.3}, {"none", "none matches", 1.3}} {
		all = append(all,
			question{
				Name: "filter on nodes, " + value.name, Path: nodesOf + "{largest}&filter[status]={" + value.fact + "}",
				Cypher: replaceFirst(nodes, "%s", value.fact), Goal: goal{Ratio: value.goal}, Scan: value.fact != "common",
			},
			question{
				Name: "filter on edges, " + value.name, Path: edgesOf + "{LARGEST}&filter[status]={" + value.fact + "}",
				Cypher: replaceFirst(edges, "%s", value.fact), Goal: goal{Ratio: value.goal}, Scan: value.fact != "common",
			})
	}
	return append(all,
		question{
			Name: "filter on nodes, one in a hundred matches", Path: nodesOf + "{largest}&filter[age]=33",
			Cypher: "MATCH (n:Person) WHERE n.age = 33 RETURN n LIMIT 100", Goal: goal{Ratio: 2},
		},
		question{
			Name: "filter on edges, one in a hundred matches", Path: edgesOf + "{LARGEST}&filter[weight][lt]=10",
			Cypher: "MATCH ()-[r:KNOWS]->() WHERE r.weight < 10 RETURN r LIMIT 100", Goal: goal{Ratio: 2},
		},
		question{
			Name: "filter on all nodes, one in a hundred matches", Path: "/api/nodes?filter[age]=33",
			Cypher: "MATCH (n) WHERE n.age = 33 RETURN n LIMIT 100", Goal: goal{Ratio: 2},
		},
		question{
			Name: "filter on all edges, one in a hundred matches", Path: "/api/edges?filter[weight][lt]=10",
			Cypher: "MATCH ()-[r]->() WHERE r.weight < 10 RETURN r LIMIT 100", Goal: goal{Ratio: 2},
		})
}

func sortQuestions() []question {
	return []question{
		{
			Name: "sort of nodes", Path: nodesOf + "{largest}&sort=score",
			Cypher: "MATCH (n:Person) RETURN n ORDER BY n.score LIMIT 100", Goal: goal{Ratio: 1.3}, Scan: true,
		},
		{
			Name: "sort of nodes, descending", Path: nodesOf + "{largest}&sort=-score",
			Cypher: "MATCH (n:Person) RETURN n ORDER BY n.score DESC LIMIT 100", Goal: goal{Ratio: 1.3}, Scan: true,
		},
		{
			Name: "sort of nodes by text", Path: nodesOf + "{largest}&sort=name",
			Cypher: "MATCH (n:Person) RETURN n ORDER BY n.name LIMIT 100", Goal: goal{Ratio: 1.3}, Scan: true,
		},
		{
			Name: "sort of edges", Path: edgesOf + "{LARGEST}&sort=weight",
			Cypher: "MATCH ()-[r:KNOWS]->() RETURN r ORDER BY r.weight LIMIT 100", Goal: goal{Ratio: 1.3}, Scan: true,
		},
		{
			Name: "filter and sort of nodes", Path: nodesOf + "{largest}&filter[age]=33&sort=-score",
			Cypher: "MATCH (n:Person) WHERE n.age = 33 RETURN n ORDER BY n.score DESC LIMIT 100", Goal: goal{Ratio: 1.3}, Scan: true,
		},
		{
			Name: "filter and sort of edges", Path: edgesOf + "{LARGEST}&filter[status]={rare}&sort=weight",
			Cypher: "MATCH ()-[r:KNOWS]->() WHERE r.status = $rare RETURN r ORDER BY r.weight LIMIT 100", Goal: goal{Ratio: 1.3}, Scan: true,
		},
		{
			Name: "sort of nodes with a range index", Path: nodesOf + "{largest}&sort=score", Index: scoreIndex,
			Cypher: "MATCH (n:Person) WHERE n.score IS NOT NULL RETURN n ORDER BY n.score LIMIT 100", Goal: goal{NoSort: true},
		},
		{
			Name: "sort of nodes with a range index, descending", Path: nodesOf + "{largest}&sort=-score", Index: scoreIndex,
			Cypher: "MATCH (n:Person) WHERE n.score IS NOT NULL RETURN n ORDER BY n.score DESC LIMIT 100", Goal: goal{NoSort: true},
		},
		{
			Name: "sort of edges with a range index", Path: edgesOf + "{LARGEST}&sort=weight", Index: weightIndex,
			Cypher: "MATCH ()-[r:KNOWS]->() WHERE r.weight IS NOT NULL RETURN r ORDER BY r.weight LIMIT 100", Goal: goal{NoSort: true},
		},
		{
			Name: "filter with a range index", Path: nodesOf + "{largest}&filter[score][gt]=999.9", Index: scoreIndex,
			Cypher: "MATCH (n:Person) WHERE n.score > 999.9 RETURN n LIMIT 100", Goal: goal{Ratio: 2}, Scan: true,
		},
	}
}

const (
	scoreIndex  = "CREATE INDEX bench_large FOR (n:Person) ON (n.score)"
	weightIndex = "CREATE INDEX bench_large FOR ()-[r:KNOWS]-() ON (r.weight)"
	dropIndex   = "DROP INDEX bench_large"
)

func countQuestions() []question {
	exact := goal{Ratio: 2, CountStore: true}
	return []question{
		{Name: "count of a node type", Path: nodesOf + "{largest}&limit=1&count=exact", Cypher: "MATCH (n:Person) RETURN count(n)", Goal: exact},
		{
			Name: "count of an edge type", Path: edgesOf + "{LARGEST}&limit=1&count=exact",
			Cypher: "MATCH ()-[r:KNOWS]->() RETURN count(r)", Goal: exact,
		},
		{Name: "count of all nodes", Path: "/api/nodes?limit=1&count=exact", Cypher: "MATCH (n) RETURN count(n)", Goal: exact},
		{Name: "count of all edges", Path: "/api/edges?limit=1&count=exact", Cypher: "MATCH ()-[r]->() RETURN count(r)", Goal: exact},
		{
			Name: "count of nodes with a filter", Path: nodesOf + "{largest}&limit=1&count=exact&filter[age]=33",
			Cypher: "MATCH (n:Person) WHERE n.age = 33 RETURN count(n)", Goal: goal{Ratio: 2}, Scan: true,
		},
		{
			Name: "count of edges with a filter", Path: edgesOf + "{LARGEST}&limit=1&count=exact&filter[weight][lt]=10",
			Cypher: "MATCH ()-[r:KNOWS]->() WHERE r.weight < 10 RETURN count(r)", Goal: goal{Ratio: 2}, Scan: true,
		},
	}
}

func hubQuestions() []question {
	const hub, ordinary = " WHERE elementId(n) = $hub ", " WHERE elementId(n) = $ordinary "
	sorted := "RETURN r ORDER BY r "
	second := func(list string) *cursorAt { return &cursorAt{List: list, Entities: pageSize} }
	return []question{
		{
			Name: "edges of an ordinary node", Path: "/api/nodes/{ordinary}/edges",
			Cypher: "MATCH (n)-[r]-()" + ordinary + "RETURN r LIMIT 100", Goal: goal{Ratio: 1.5},
		},
		{
			Name: "degree of the hub", Path: "/api/nodes/{hub}/degree", Goal: goal{Ratio: 1},
			Cypher: "MATCH (n)-[r]-(m)" + hub + "RETURN type(r), startNode(r) = n, labels(m), count(*)", Scan: true,
		},
		{
			Name: "edges of the hub, first page", Path: "/api/nodes/{hub}/edges", Cypher: "MATCH (n)-[r]-()" + hub + sorted + "LIMIT 100",
			Goal: goal{Ratio: 1.5}, Scan: true,
		},
		{
			Name: "edges of the hub, second page", Path: "/api/nodes/{hub}/edges?limit=100" + cursorSuffix, Scan: true,
			Cypher: "MATCH (n)-[r]-()" + hub + sorted + "SKIP 100 LIMIT 100", Goal: goal{Ratio: 1.5},
			Cursor: second("/api/nodes/{hub}/edges?limit=100"),
		},
		{
			Name: "edges of the hub, of a type", Path: "/api/nodes/{hub}/edges?type={LARGEST}",
			Cypher: "MATCH (n)-[r:KNOWS]-()" + hub + sorted + "LIMIT 100", Goal: goal{Ratio: 1.5}, Scan: true,
		},
		{
			Name: "edges of the hub, of a rare type", Path: "/api/nodes/{hub}/edges?type={MIDDLE}",
			Cypher: "MATCH (n)-[r:" + edgeTypes[typeCount/2] + "]-()" + hub + sorted + "LIMIT 100", Goal: goal{Ratio: 1.5}, Scan: true,
		},
		{
			Name: "edges of the hub, outgoing", Path: "/api/nodes/{hub}/edges?direction=out",
			Cypher: "MATCH (n)-[r]->()" + hub + sorted + "LIMIT 100", Goal: goal{Ratio: 1.5}, Scan: true,
		},
		{
			Name: "edges of the hub, incoming of a type", Path: "/api/nodes/{hub}/edges?direction=in&type={LARGEST}",
			Cypher: "MATCH (n)<-[r:KNOWS]-()" + hub + sorted + "LIMIT 100", Goal: goal{Ratio: 1.5}, Scan: true,
		},
		{
			Name: "neighbors of the hub", Path: "/api/nodes/{hub}/neighbors", Cypher: "MATCH (n)-[r]-(m)" + hub + "RETURN n, r, m LIMIT 100",
			Goal: goal{Ratio: 2},
		},
		{
			Name: "neighbors to depth 2", Path: "/api/nodes/{ordinary}/neighbors?depth=2",
			Cypher: "MATCH p = (n)-[*1..2]-(m)" + ordinary + "RETURN p LIMIT 100", Goal: goal{Ratio: 3},
		},
		{
			Name: "neighbors to depth 3", Path: "/api/nodes/{ordinary}/neighbors?depth=3",
			Cypher: "MATCH p = (n)-[*1..3]-(m)" + ordinary + "RETURN p LIMIT 100", Goal: goal{Ratio: 3},
		},
	}
}

func pathQuestions() []question {
	const from = "MATCH (a) WHERE elementId(a) = $ordinary MATCH (b) WHERE elementId(b) = "
	one, all := goal{Ratio: 2}, goal{Ratio: 2}
	ends := "/api/paths?source_id={ordinary}&target_id="
	return []question{
		{
			Name: "shortest path between ordinary nodes", Path: ends + "{other}",
			Cypher: from + "$other MATCH p = shortestPath((a)-[*..6]-(b)) RETURN p", Goal: one,
		},
		{
			Name: "all shortest paths between ordinary nodes", Path: ends + "{other}&all=true",
			Cypher: from + "$other MATCH p = allShortestPaths((a)-[*..6]-(b)) RETURN p LIMIT 100", Goal: all,
		},
		{
			Name: "shortest path of a type, directed", Path: ends + "{other}&edge_type=KNOWS&direction=out&max_depth=12",
			Cypher: from + "$other MATCH p = shortestPath((a)-[:KNOWS*..12]->(b)) RETURN p", Goal: one,
		},
		{
			Name: "shortest path to the hub", Path: ends + "{hub}", Cypher: from + "$hub MATCH p = shortestPath((a)-[*..6]-(b)) RETURN p",
			Goal: one, Scan: true,
		},
		{
			Name: "all shortest paths to the hub", Path: ends + "{hub}&all=true",
			Cypher: from + "$hub MATCH p = allShortestPaths((a)-[*..6]-(b)) RETURN p LIMIT 100", Goal: all, Scan: true,
		},
		{
			Name: "shortest path of an unreachable pair", Path: ends + "{island}",
			Cypher: from + "$island MATCH p = shortestPath((a)-[*..6]-(b)) RETURN p", Goal: one,
		},
		{
			Name: "all shortest paths of an unreachable pair", Path: ends + "{island}&all=true",
			Cypher: from + "$island MATCH p = allShortestPaths((a)-[*..6]-(b)) RETURN p LIMIT 100", Goal: all,
		},
	}
}

// searchIndex is the name of the full-text index that the benchmark creates through the gateway.
const searchIndex = "large"

func searchQuestions() []question {
	const call = "CALL db.index.fulltext.queryNodes('_Graphrest_search_" + searchIndex + "', "
	const rest = ") YIELD node, score RETURN node, score LIMIT 100"
	return []question{
		{Name: "search for a common word", Path: "/api/search?q=grace", Cypher: call + "'grace'" + rest, Goal: goal{Ratio: 1.5}, Scan: true},
		{
			Name: "search for three words", Path: "/api/search?q=ada+lovelace+north", Cypher: call + "'ada AND lovelace AND north'" + rest,
			Goal: goal{Ratio: 1.5}, Scan: true,
		},
		{Name: "search for a prefix", Path: "/api/search?q=love*", Cypher: call + "'love*'" + rest, Goal: goal{Ratio: 1.5}, Scan: true},
		{Name: "search for a word that is not there", Path: "/api/search?q=nobody", Cypher: call + "'nobody'" + rest, Goal: goal{Ratio: 1.5}},
	}
}

func schemaQuestions() []question {
	return []question{{Name: "schema", Path: schemaPath, Goal: goal{Milliseconds: 50, FirstMilliseconds: 1000}}}
}

const schemaPath = "/api/schema"
