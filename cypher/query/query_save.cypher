// name: query_save
// access: write
// params: name create versions row write max kept rows audit
// lists: rows
// returns: query taken missing full matches
// plan: NodeUniqueIndexSeek !AllNodesScan
// internal: only - it works on saved queries
// Stores a version of a saved query: the first one if $create, else the next one if the query has one of $versions (null: any). An attempt
// that is repeated because its outcome was unknown is recognized by $write. The oldest of more than $kept versions are removed.
MATCH (s:_GraphrestState {name: 'auth'})
SET s.locked = true
WITH s
OPTIONAL MATCH (q:_GraphrestQuery {name: $name})
CALL () {
  MATCH (o:_GraphrestQuery)
  RETURN count(o) AS total
}
WITH q, coalesce(q.write = $write, false) AS repeated, $create AND q IS NOT NULL AS taken, NOT $create AND q IS NULL AS missing,
  $create AND total >= $max AS full, $versions IS NULL OR coalesce(q.version IN $versions, false) AS matches
WITH repeated, taken AND NOT repeated AS taken, missing, full AND NOT repeated AS full, matches OR repeated AS matches
WITH taken, missing, full, matches,
  CASE WHEN taken OR missing OR full OR NOT matches OR repeated THEN [] ELSE [[0, '']] END AS done
FOREACH (_ IN done |
  MERGE (x:_GraphrestQuery {name: $name})
  ON CREATE SET x.created_at = timestamp(), x.version = 0
  SET x += $row, x.version = x.version + 1, x.write = $write, x.updated_at = timestamp()
  CREATE (x)-[:_GraphrestVersion]->(v:_GraphrestQueryVersion)
  SET v = properties(x))
WITH taken, missing, full, matches, done
CALL (done) {
  UNWIND done AS _
  MATCH (x:_GraphrestQuery {name: $name})-[:_GraphrestVersion]->(v:_GraphrestQueryVersion) WHERE v.version <= x.version - $kept
  DETACH DELETE v
}
WITH taken, missing, full, matches, done
{{>audit}}
WITH taken, missing, full, matches
OPTIONAL MATCH (x:_GraphrestQuery {name: $name})
RETURN properties(x) AS query, taken, missing, full, matches
