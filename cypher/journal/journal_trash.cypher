// name: journal_trash
// access: read
// params: before oldest limit managed
// returns: record edges recreated
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Deleted entities, newest first, each with the number of edges deleted with it, and whether it has a later record; not those of others with
// its id: see own_record. Neo4j uses element ids again. $managed has the managed types by kind.
MATCH (c:_GraphrestChange) WHERE c._graphrest_trash < $before AND c._graphrest_trash >= $oldest
WITH c ORDER BY c._graphrest_trash DESC LIMIT $limit
CALL (c) {
  OPTIONAL MATCH (w:_GraphrestChange)
  WHERE w._graphrest_with = substring(c._graphrest_entity, 5) AND c._graphrest_meta[8] IN w._graphrest_ends[0..2]
  RETURN count(w) AS edges
}
CALL (c) {
  OPTIONAL MATCH (later:_GraphrestChange)
  WHERE later._graphrest_entity = c._graphrest_entity AND later._graphrest_id > c._graphrest_id
    AND substring(c._graphrest_entity, 5) <> c._graphrest_meta[8]
    AND any(l IN later._graphrest_meta[9..] WHERE l IN c._graphrest_meta[9..] AND l IN $managed[left(c._graphrest_entity, 4)])
  RETURN count(later) > 0 AS recreated
}
RETURN properties(c) AS record, edges, recreated ORDER BY c._graphrest_id DESC
