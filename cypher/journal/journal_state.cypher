// name: journal_state
// access: read
// params: -
// returns: position element unordered removed_position removed_id oldest total bytes
// plan: !AllNodesScan
// internal: only - it works on records of changes
// The last position of the feed and the element id of any record, whose prefix all have; whether records without a position exist; what was
// removed; the oldest record; the number of records, from the count store; and what the measured ones take: see journal_measure.
CALL () {
  OPTIONAL MATCH (s:_GraphrestState {name: 'journal'})
  RETURN coalesce(s.position, 0) AS position, coalesce(s.removed_position, 0) AS removed_position, coalesce(s.removed_id, '') AS removed_id,
    coalesce(s.bytes, 0) AS bytes,
    COLLECT { MATCH (any:_GraphrestState) RETURN elementId(any) LIMIT 1 }[0] AS element
}
CALL () { MATCH (u:_GraphrestUnordered) RETURN count(u) AS unordered }
CALL () { MATCH (c:_GraphrestChange) RETURN count(c) AS total }
CALL () {
  OPTIONAL MATCH (o:_GraphrestChange) WHERE o._graphrest_position > 0
  WITH o ORDER BY o._graphrest_position LIMIT 1
  RETURN collect(o._graphrest_id)[0] AS oldest
}
RETURN position, element, unordered > 0 AS unordered, removed_position, removed_id, oldest, total, bytes
