// name: list_nodes_scan
// access: read
// params: only ranks managed rank phase after number skip limit where declared
// slots: labels id where
// returns: element labels properties own key
// plan: Top !AllNodesScan
// hits: 9 per entity
// internal: hidden
// Reads a page of the nodes of several small types by scan and sort, or of a managed type with a filter that few meet. $ranks gives the
// position of each type. A node belongs to its declared label, or else to its first; with $only, all nodes with the label belong to it.
// Within a type, nodes with their own id come first (phase 0), then the others in the database's own order.
// The labels have a separate name, because the planner would otherwise read them before it tests the filter.
// A position in the form of a list keeps the planner from sorting by its parts as soon as it has them, which is slower than Top.
MATCH (n:{{labels}})
WHERE {{where}}
WITH n, labels(n) AS labels
WHERE {{>visible_labels labels}}
WITH n, CASE WHEN $only IS NOT NULL THEN $only WHEN $declared IS NULL THEN labels[0]
             ELSE coalesce([l IN labels WHERE l IN $declared][0], labels[0]) END AS type
WITH n, $ranks[type] AS rank, coalesce(n.{{id}} > '' AND type IN $managed, false) AS own
WHERE rank >= $rank
WITH n, rank, own, CASE WHEN own THEN 0 ELSE 1 END AS phase, CASE WHEN own THEN n.{{id}} ELSE '' END AS text
WHERE rank > $rank OR phase > $phase
   OR (phase = $phase AND CASE WHEN own THEN text > $after ELSE toInteger(split(elementId(n), ':')[2]) > $number END)
WITH n, own, text, [rank, phase] AS position ORDER BY position, text, n SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, n {.*} AS properties, own, CASE WHEN own THEN text ELSE elementId(n) END AS key
