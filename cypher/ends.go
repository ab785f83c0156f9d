package cypher

// The slot ends of the statements that read edges, which bind the ends of an edge to the variables a and b.

// NoEnds leaves the column of the ends null.
var NoEnds = literal("null")

// The names of properties sort by their rank, then by themselves: see graph.End. Only the own id sorts last; its value is then dropped.
var endNames = newTemplate(`[e IN [[labels(a), properties(a)], [labels(b), properties(b)]] | [e[0],
       left(toString(e[1][substring(reduce(best = 'z', k IN [k IN keys(e[1]) WHERE trim(toStringOrNull(e[1][k])) <> ''
         AND (e[1][k] IS :: STRING NOT NULL OR (e[1][k] IS :: INTEGER NOT NULL AND toLower(k) IN ['name', 'title', 'label', 'username',
           'caption', 'email', 'code', 'key', 'id'])) |
         CASE WHEN k IN keys({ {{id}}: null}) THEN 'u' ELSE CASE toLower(k)
           WHEN 'name' THEN '0' WHEN 'title' THEN '1' WHEN 'label' THEN '2' WHEN 'username' THEN '3' WHEN 'caption' THEN '4'
           WHEN 'email' THEN '5' WHEN 'code' THEN '6' WHEN 'key' THEN '7' WHEN 'id' THEN '8'
           ELSE CASE WHEN toLower(k) ENDS WITH 'name' OR toLower(k) ENDS WITH 'title' THEN 'n' ELSE 't' END END END + k] |
         CASE WHEN k < best THEN k ELSE best END), 1)]), 121)]]`)

// endValues is a column of the ends, and a column of pairs of key and value for each end.
var endValues = newTemplate("{{ends}}, [[k IN $end_keys[0][i] WHERE a[k] IS NOT NULL | [k, a[k]]]," +
	" [k IN $end_keys[0][i] WHERE b[k] IS NOT NULL | [k, b[k]]]]")

// WithEndValues adds a column to the slot ends: the values of both ends for the keys that $end_keys lists for row i.
func WithEndValues(ends Fragment) Fragment { return endValues.fill(Slots{"ends": ends}) }

// EndNames reads the labels of both ends, and the value of the property that names each (see graph.End), at most 121 characters of it; null
// if none does.
func EndNames(id Fragment) Fragment { return endNames.fill(Slots{"id": id}) }
