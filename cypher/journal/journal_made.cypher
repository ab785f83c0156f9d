// name: journal_made
// access: read
// params: request undo after
// returns: ids
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The ids of the records that an undo wrote, in the order in which they were written. It runs in the transaction of the undo.
MATCH (c:_GraphrestChange) WHERE c._graphrest_request = $request
WITH c WHERE c._graphrest_id > $after AND c._graphrest_meta[4] = $undo
WITH c ORDER BY c._graphrest_id
RETURN collect(c._graphrest_id) AS ids
