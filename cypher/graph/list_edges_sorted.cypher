// name: list_edges_sorted
// access: read
// params: managed_types managed_labels where sort after skip limit
// slots: type id where values ranks keys after_position order sort_columns ends
// returns: element type properties own key source_id target_id sort_columns ends
// plan: Top !CartesianProduct
// hits: 16 per entity
// internal: hidden
// Reads a page of the relationships of a type, or of all, ordered by properties: see cypher.Order and list_nodes_sorted.
MATCH ()-[r:{{type}}]->()
WHERE {{where}}
WITH r, startNode(r) AS a, endNode(r) AS b
WHERE {{>visible_edge}}
{{>sorted_page}}
