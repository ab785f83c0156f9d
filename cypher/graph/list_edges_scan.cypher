// name: list_edges_scan
// access: read
// params: ranks managed_types managed_labels rank phase after number skip limit where
// slots: types id where ends
// returns: element type properties own key source_id target_id ends
// plan: Top !AllNodesScan
// hits: 14 per entity
// internal: hidden
// Reads a page of the relationships of several small types by scan and sort, of a type that stopped being managed during a walk, or of a
// managed type with a filter that few meet. $ranks gives the position of each type. Within a type, relationships with their own id come
// first (phase 0).
MATCH ()-[r:{{types}}]->()
WHERE {{where}}
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
WITH a, r, b, $ranks[type(r)] AS rank, coalesce(type(r) IN $managed_types AND r.{{id}} > '', false) AS own
WHERE rank >= $rank
WITH a, r, b, rank, own, CASE WHEN own THEN 0 ELSE 1 END AS phase, CASE WHEN own THEN r.{{id}} ELSE '' END AS text
WHERE rank > $rank OR phase > $phase
   OR (phase = $phase AND CASE WHEN own THEN text > $after ELSE toInteger(split(elementId(r), ':')[2]) > $number END)
WITH a, r, b, rank, own, phase, text, CASE WHEN own THEN text ELSE elementId(r) END AS key
ORDER BY rank, phase, text, r SKIP $skip LIMIT $limit
RETURN elementId(r) AS element, type(r) AS type, r {.*} AS properties, own, key,
       {{>edge_end_ids}}, {{ends}} AS ends
