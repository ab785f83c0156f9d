// name: journal_changes
// access: read
// params: rows
// lists: rows
// returns: record
// plan: NodeByElementIdSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// Several records by their ids, newest first: see journal_change. A row is [element id, id].
UNWIND $rows[0] AS row
MATCH (c) WHERE elementId(c) = row[0]
WITH c, row WHERE c:_GraphrestChange AND c._graphrest_id = row[1]
RETURN properties(c) AS record ORDER BY c._graphrest_id DESC
