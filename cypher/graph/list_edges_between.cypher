// name: list_edges_between
// access: read
// params: source source_id target target_id managed_types managed_labels after number skip limit where
// slots: type id where order ends
// returns: element type properties own key source_id target_id internal ends
// plan: NodeByElementIdSeek Expand(Into) Top !Sort !AllNodesScan !DirectedAllRelationshipsScan
// hits: 60
// internal: hidden by the caller - as in list_edges_around
// Reads a page of the relationships from one node to another: see list_edges_around. LIMIT 1 makes the planner read both ends before it
// expands, so that it starts from the end with fewer relationships.
// $source and $target are element ids. $source_id and $target_id, if a node has its own id, are checked, because element ids are reused.
CYPHER 5
MATCH (s) WHERE elementId(s) = $source AND ($source_id IS NULL OR s.{{id}} = $source_id)
WITH s LIMIT 1
MATCH (t) WHERE elementId(t) = $target AND ($target_id IS NULL OR t.{{id}} = $target_id)
WITH s, t LIMIT 1
MATCH (s)-[r:{{type}}]->(t)
WHERE {{where}}
{{>around_page}}
