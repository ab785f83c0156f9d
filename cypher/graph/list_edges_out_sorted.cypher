// name: list_edges_out_sorted
// access: read
// params: node node_id managed_types managed_labels where sort after skip limit
// slots: type id where values ranks keys after_position order sort_columns ends
// returns: element type properties own key source_id target_id sort_columns ends
// plan: NodeByElementIdSeek Expand(All) Top !AllNodesScan !DirectedAllRelationshipsScan
// hits: 60
// internal: hidden
// As list_edges_around, ordered by properties: see cypher.Order.
MATCH (n) WHERE elementId(n) = $node AND ($node_id IS NULL OR n.{{id}} = $node_id)
MATCH (n)-[r:{{type}}]->(b)
WHERE {{where}}
WITH n AS a, r, b
WHERE {{>visible_edge}}
WITH a, r, b, coalesce(type(r) IN $managed_types AND r.{{id}} > '', false) AS own, {{values}}
WITH a, r, b, own, CASE WHEN own THEN r.{{id}} + '' ELSE '' END AS key, {{ranks}}
WITH a, r, b, own, key, {{keys}}
WHERE $after IS NULL OR {{after_position}}
WITH a, r, b, own, key, {{sort_columns}} AS sort_columns ORDER BY {{order}}, own DESC, key, r SKIP $skip LIMIT $limit
RETURN elementId(r) AS element, type(r) AS type, properties(r) AS properties, own, key, sort_columns,
       CASE WHEN coalesce($managed_labels <> [] AND a.{{id}} > '' AND any(l IN labels(a) WHERE l IN $managed_labels), false) THEN a.{{id}} ELSE elementId(a) END AS source_id,
       CASE WHEN coalesce($managed_labels <> [] AND b.{{id}} > '' AND any(l IN labels(b) WHERE l IN $managed_labels), false) THEN b.{{id}} ELSE elementId(b) END AS target_id, {{ends}} AS ends
