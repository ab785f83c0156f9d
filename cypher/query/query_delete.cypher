// name: query_delete
// access: write
// params: name versions rows audit
// lists: rows
// returns: matches
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on saved queries
// Removes a saved query with its versions if it has one of $versions (null: any). It returns no row if there is none.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.locked = true
WITH s
MATCH (q:_GraphrestQuery {name: $name})
WITH q, $versions IS NULL OR q.version IN $versions AS matches
WITH q, matches, CASE WHEN matches THEN [[0, '']] ELSE [] END AS done
OPTIONAL MATCH (q)-[:_GraphrestVersion]->(v:_GraphrestQueryVersion) WHERE matches
WITH q, matches, done, collect(v) AS versions
FOREACH (v IN versions | DETACH DELETE v)
FOREACH (_ IN done | DETACH DELETE q)
WITH matches, done
{{>audit}}
RETURN matches
