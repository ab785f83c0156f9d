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
	return endsColumn.fill(Slots{"names": endNames.fill(Slots{"best": bestNameOf(id, True)}), "values": NoEnds})
}

// EndValues reads values of both ends as pairs of key and value.
func EndValues(of EndKeys) Fragment {
	return endsColumn.fill(Slots{"names": NoEnds, "values": endValues.fill(Slots{"keys": literal(of.expression)})})
}

// EndNamesAndValues is both, for a user from whom properties may be hidden. It reads the labels and the element id of each end and, as
// pairs of key and text, what may name it: of the properties that are never hidden the one that does, and those that may be hidden and
// come before it.
func EndNamesAndValues(id Fragment, of EndKeys) Fragment {
	keys := literal(of.expression)
	return endsColumn.fill(Slots{
		"names": namesToChoose.fill(Slots{
			"best": bestNameOf(id, neverHidden.fill(Slots{"keys": keys})), "keys": keys, "rank": nameRank.fill(Slots{"id": id}),
			"name": nameIn.fill(Slots{"key": literal("k"), "as": literal("k")}),
		}),
		"values": endValues.fill(Slots{"keys": keys}),
	})
}

// bestNameOf is what names an end, of the properties for which a condition holds: a pair of the key after its rank, and the text; 'z' and
// null if none does.
func bestNameOf(id, condition Fragment) Fragment {
	return bestName.fill(Slots{
		"condition": condition, "rank": nameRank.fill(Slots{"id": id}),
		"name": nameIn.fill(Slots{"key": literal("substring(r, 1)"), "as": literal("r")}),
	})
}

var (
	endsColumn  = newTemplate("[{{names}}, {{values}}]")
	endValues   = newTemplate("[[k IN {{keys}}[0] WHERE a[k] IS NOT NULL | [k, a[k]]], [k IN {{keys}}[0] WHERE b[k] IS NOT NULL | [k, b[k]]]]")
	neverHidden = newTemplate("NOT k IN coalesce({{keys}}[1], [])")

	endNames = newTemplate("[e IN [a, b] | [labels(e), {{best}}[1]]]")

	namesToChoose = newTemplate(`[e IN [a, b] | head([best IN [{{best}}] | [labels(e), elementId(e),
       reduce(pairs = [p IN [best] WHERE p[1] IS NOT NULL | [substring(p[0], 1), p[1]]],
         k IN [k IN coalesce({{keys}}[1], []) WHERE {{rank}} + k < best[0]] | pairs + {{name}})]])]`)

	// The value of a property may be large, and is read once, only if the property comes before those that were found to name the end. The
	// first of all keys is tried first: where it names the end, no other value is read.
	bestName = newTemplate(`head([ranked IN [[k IN keys(e) WHERE {{condition}} | {{rank}} + k]] |
       reduce(best = ['z', null], r IN [reduce(low = 'z', r IN ranked | CASE WHEN r < low THEN r ELSE low END)] + ranked |
         CASE WHEN r < best[0] THEN head({{name}} + [best]) ELSE best END)])`)

	// The names of properties sort by their rank, then by themselves: see graph.End. Only the own id sorts last; its value is then dropped.
	nameRank = newTemplate(`CASE WHEN k IN keys({ {{id}}: null}) THEN 'u' ELSE CASE toLower(k)
           WHEN 'name' THEN '0' WHEN 'title' THEN '1' WHEN 'label' THEN '2' WHEN 'username' THEN '3' WHEN 'caption' THEN '4'
           WHEN 'email' THEN '5' WHEN 'code' THEN '6' WHEN 'key' THEN '7' WHEN 'id' THEN '8'
           ELSE CASE WHEN toLower(k) ENDS WITH 'name' OR toLower(k) ENDS WITH 'title' THEN 'n' ELSE 't' END END END`)

	// nameIn is a list of what a property is called and its text, empty if its value does not name an end.
	nameIn = newTemplate(`[v IN [e[{{key}}]] WHERE trim(toStringOrNull(v)) <> '' AND (v IS :: STRING NOT NULL OR (v IS :: INTEGER NOT NULL
         AND toLower({{key}}) IN ['name', 'title', 'label', 'username', 'caption', 'email', 'code', 'key', 'id']))
         | [{{as}}, left(toString(v), 121)]]`)
)
