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

// EndNames reads the labels of both ends, and the value of the property that names each (see graph.End), at most 121 characters of it; null
// if none does.
func EndNames(id Fragment) Fragment { return endNames.fill(Slots{"id": id}) }
