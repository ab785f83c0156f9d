// name: journal_erase
// access: write
// params: entities audit rows
// lists: rows
// returns: erased
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Removes the records under the ids of one entity, also those of others that had its id, and records that in the audit. Their size is
// subtracted: see journal_measure.
MERGE (s:_GraphrestState {name: 'journal'})
SET s += {}
WITH s
CALL (s) {
  UNWIND $entities AS entity
  MATCH (c:_GraphrestChange) WHERE c._graphrest_entity = entity AND c._graphrest_id > ''
  WITH c, c._graphrest_position <= s.measured_position AS measured, {{>record_bytes}} AS bytes
  DELETE c
  RETURN count(*) AS erased, sum(CASE WHEN measured THEN bytes ELSE 0 END) AS subtracted
}
SET s.bytes = coalesce(s.bytes, 0) - subtracted
WITH erased, CASE WHEN erased > 0 THEN [[0, '']] ELSE [] END AS done
{{>audit}}
RETURN erased
