// name: journal_feed
// access: read
// params: after limit managed
// returns: record previous
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The records after a position in the feed, in its order, each with the previous record of its entity, or null. $managed has the managed types
// by kind: see own_record.
MATCH (c:_GraphrestChange) WHERE c._graphrest_position > $after
WITH c ORDER BY c._graphrest_position LIMIT $limit
CALL (c) {
  OPTIONAL MATCH (p:_GraphrestChange)
  WHERE p._graphrest_entity = c._graphrest_entity AND p._graphrest_id < c._graphrest_id
    AND (p._graphrest_meta[8] = c._graphrest_meta[8]
      OR any(l IN p._graphrest_meta[9..] WHERE l IN c._graphrest_meta[9..] AND l IN $managed[left(c._graphrest_entity, 4)]))
  RETURN p ORDER BY p._graphrest_entity DESC, p._graphrest_id DESC LIMIT 1
}
RETURN properties(c) AS record, properties(p) AS previous ORDER BY c._graphrest_position
