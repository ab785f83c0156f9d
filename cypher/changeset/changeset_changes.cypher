// name: changeset_changes
// access: read
// params: request change_set
// returns: ids
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// The ids of the records of an applied change set, in the order in which they were written. It runs in the transaction that applies it.
MATCH (c:_GraphrestChange) WHERE c._graphrest_request = $request
WITH c WHERE c._graphrest_meta[5] = $change_set
WITH c ORDER BY c._graphrest_id
RETURN collect(c._graphrest_id) AS ids
