// name: journal_change
// access: read
// params: element id
// returns: record
// plan: NodeByElementIdSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on records of changes
// One record by its id, whose second part is the number of its node.
MATCH (c) WHERE elementId(c) = $element
WITH c WHERE c:_GraphrestChange AND c._graphrest_id = $id
RETURN properties(c) AS record
