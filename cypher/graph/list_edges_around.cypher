// name: list_edges_around
// access: read
// params: node node_id managed_types managed_labels after number skip limit where
// slots: left type right id where order ends
// returns: element type properties own key source_id target_id internal ends
// plan: NodeByElementIdSeek Expand(All) Top !Sort !Distinct !AllNodesScan !DirectedAllRelationshipsScan
// hits: 60
// internal: hidden by the caller - testing the other end of every relationship costs as much as the expansion; the caller tests those of the page, and adds the test to the slot where if one is internal
// Reads a page of a node's relationships, a self-loop once. The slots left and right set the direction; the type may be a wildcard. Before
// the page is cut only the sort key is read. The slot where contains the filter and the start of the page, order the order: see
// cypher.EdgeAfter.
// $node is the element id. $node_id, if the node has its own id, is checked, because element ids are reused.
// CYPHER 5 because the relationship's number is id(), which is deprecated there; extracting it from elementId() creates a string for every
// relationship.
CYPHER 5
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
MATCH (n){{left}}[r:{{type}}]{{right}}()
WHERE {{where}}
{{>around_page}}
