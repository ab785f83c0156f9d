// name: journal_last
// access: read
// params: rows managed oldest
// lists: rows
// returns: record number
// plan: NodeIndexSeekByRange/NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The last record of each of several entities that has one. A row is [entity, one of its element ids or '', number]. With an element id it
// is the last one with that, or with one of the $managed types that the entity had with it: see own_record.
UNWIND $rows[0] AS row
CALL (row) {
  MATCH (c:_GraphrestChange)
  WHERE c._graphrest_entity = row[0] AND c._graphrest_id >= $oldest AND (row[1] = '' OR c._graphrest_meta[8] = row[1])
  RETURN c._graphrest_id AS since, [l IN c._graphrest_meta[9..] WHERE l IN $managed] AS names
  ORDER BY c._graphrest_entity DESC, c._graphrest_id DESC LIMIT 1
}
CALL (row, since, names) {
  MATCH (c:_GraphrestChange)
  WHERE c._graphrest_entity = row[0] AND c._graphrest_id >= since
    AND (row[1] = '' OR c._graphrest_meta[8] = row[1] OR any(l IN c._graphrest_meta[9..] WHERE l IN names))
  RETURN c ORDER BY c._graphrest_entity DESC, c._graphrest_id DESC LIMIT 1
}
RETURN properties(c) AS record, row[2] AS number
