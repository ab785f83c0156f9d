// name: list_edges_between
// access: read
// params: source source_id target target_id managed_types managed_labels after number skip limit where
// slots: type id where order ends
// returns: element type properties own key source_id target_id internal ends
// plan: NodeByElementIdSeek Expand(Into) Top !Sort !AllNodesScan !DirectedAllRelationshipsScan
// hits: 60
// internal: hidden by the caller - as in list_edges_around
// Reads a page of the relationships from one node to another: see list_edges_around. Both ends are read first, so that the planner
// starts from the end with fewer relationships.
CYPHER 5
{{>source_and_target}}
MATCH (s)-[r:{{type}}]->(t)
WHERE {{where}}
{{>around_page}}
