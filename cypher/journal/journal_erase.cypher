// name: journal_erase
// access: write
// params: entities audit rows
// lists: rows
// returns: erased
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Removes the records of one entity, and records that in the audit.
UNWIND $entities AS entity
MATCH (c:_GraphrestChange) WHERE c._graphrest_entity = entity AND c._graphrest_id > ''
DELETE c
WITH count(*) AS erased
WITH erased, CASE WHEN erased > 0 THEN [[0, '']] ELSE [] END AS done
{{>audit}}
RETURN erased
