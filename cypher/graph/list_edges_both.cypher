// name: list_edges_both
// access: read
// params: node node_id managed_types managed_labels rank phase after skip limit where
// slots: type id where
// returns: element type properties own key source_id target_id
// plan: NodeByElementIdSeek Expand(All) !AllNodesScan !DirectedAllRelationshipsScan
// internal: hidden
// A page of the relationships at a node in either direction, a self-loop once. The slot type may be any type.
// $node is the element id; $node_id, where the node has an id of its own, is checked, since element ids are reused.
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
MATCH (n)-[r:{{type}}]-()
WHERE {{where}}
WITH DISTINCT r
WITH startNode(r) AS a, r, endNode(r) AS b
WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'
  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')
  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')
WITH a, r, b, type(r) AS rank, coalesce(r.{{id}} > '' AND type(r) IN $managed_types, false) AS own
WHERE rank >= $rank
WITH a, r, b, rank, own, CASE WHEN own THEN 0 ELSE 1 END AS phase, CASE WHEN own THEN r.{{id}} ELSE elementId(r) END AS key
WHERE rank > $rank OR phase > $phase OR (phase = $phase AND key > $after)
WITH a, r, b, rank, own, phase, key ORDER BY rank, phase, key SKIP $skip LIMIT $limit
RETURN elementId(r) AS element, type(r) AS type, properties(r) AS properties, own, key,
       CASE WHEN coalesce(a.{{id}} > '' AND any(l IN labels(a) WHERE l IN $managed_labels), false) THEN a.{{id}} ELSE elementId(a) END AS source_id,
       CASE WHEN coalesce(b.{{id}} > '' AND any(l IN labels(b) WHERE l IN $managed_labels), false) THEN b.{{id}} ELSE elementId(b) END AS target_id
