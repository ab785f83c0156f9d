package cypher

// The slot ends of the statements that read edges, which bind the ends of an edge to the variables a and b. The column is null, or a pair:
// the names of both ends or null, and values of both ends or null.

// NoEnds leaves the column of the ends null.
var NoEnds = literal("null")

// EndKeys is the parameter of what a caller needs of the ends of edges: the keys of properties whose values are returned, and the keys of
// those that may be hidden, each null for none.
type EndKeys struct{ expression constant }

// The parameters of a statement that answers several callers, for each of its rows, and of a list.
var (
	EndKeysOfRow  = EndKeys{"$end_keys[0][i]"}
	EndKeysOfView = EndKeys{"$view.end_keys"}
)

// EndNames reads the labels of both ends, and the value of the property that names each (see graph.End), at most 121 characters of it; null
// if none does.
func EndNames(id Fragment) Fragment {
	return endsColumn.fill(Slots{"names": endNames.fill(Slots{"best": bestKeyOf(id, True)}), "values": NoEnds})
}

// EndValues reads values of both ends as pairs of key and value.
func EndValues(of EndKeys) Fragment {
	return endsColumn.fill(Slots{"names": NoEnds, "values": endValues.fill(Slots{"keys": literal(of.expression)})})
}

// EndNamesAndValues is both, for a user from whom properties may be hidden. It reads the labels and the element id of each end and, as
// pairs of key and text, what may name it: of the properties that are never hidden the one that does, and all those that may be hidden.
func EndNamesAndValues(id Fragment, of EndKeys) Fragment {
	keys := literal(of.expression)
	return endsColumn.fill(Slots{
		"names": namesToChoose.fill(Slots{
			"best": bestKeyOf(id, neverHidden.fill(Slots{"keys": keys})), "naming": naming.fill(Slots{"end": literal("named.row")}), "keys": keys,
		}),
		"values": endValues.fill(Slots{"keys": keys}),
	})
}

// bestKeyOf is the key of the property that names an end, of those for which a condition holds; empty if none does.
func bestKeyOf(id, condition Fragment) Fragment {
	return bestKey.fill(Slots{"id": id, "condition": condition, "naming": naming.fill(Slots{"end": literal("e")})})
}

var (
	endsColumn  = newTemplate("[{{names}}, {{values}}]")
	endValues   = newTemplate("[[k IN {{keys}}[0] WHERE a[k] IS NOT NULL | [k, a[k]]], [k IN {{keys}}[0] WHERE b[k] IS NOT NULL | [k, b[k]]]]")
	neverHidden = newTemplate("NOT k IN coalesce({{keys}}[1], [])")

	endNames = newTemplate(`[e IN [[labels(a), properties(a)], [labels(b), properties(b)]] | [e[0], left(toString(e[1][{{best}}]), 121)]]`)

	namesToChoose = newTemplate(`[named IN [e IN [[labels(a), properties(a), elementId(a)], [labels(b), properties(b), elementId(b)]] |
       {row: e, key: {{best}}}] | [named.row[0], named.row[2], [k IN keys(named.row[1])
         WHERE k = named.key OR k IN {{keys}}[1] AND {{naming}} | [k, left(toString(named.row[1][k]), 121)]]]]`)

	// The names of properties sort by their rank, then by themselves: see graph.End. Only the own id sorts last; its value is then dropped.
	bestKey = newTemplate(`substring(reduce(best = 'z', k IN [k IN keys(e[1]) WHERE {{condition}} AND {{naming}} |
         CASE WHEN k IN keys({ {{id}}: null}) THEN 'u' ELSE CASE toLower(k)
           WHEN 'name' THEN '0' WHEN 'title' THEN '1' WHEN 'label' THEN '2' WHEN 'username' THEN '3' WHEN 'caption' THEN '4'
           WHEN 'email' THEN '5' WHEN 'code' THEN '6' WHEN 'key' THEN '7' WHEN 'id' THEN '8'
           ELSE CASE WHEN toLower(k) ENDS WITH 'name' OR toLower(k) ENDS WITH 'title' THEN 'n' ELSE 't' END END END + k] |
         CASE WHEN k < best THEN k ELSE best END), 1)`)

	// naming is the condition that the value of a property k may name an end.
	naming = newTemplate(`trim(toStringOrNull({{end}}[1][k])) <> '' AND ({{end}}[1][k] IS :: STRING NOT NULL
         OR ({{end}}[1][k] IS :: INTEGER NOT NULL AND toLower(k) IN ['name', 'title', 'label', 'username', 'caption', 'email', 'code',
           'key', 'id']))`)
)
