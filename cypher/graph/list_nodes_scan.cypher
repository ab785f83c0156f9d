// name: list_nodes_scan
// access: read
// params: ranks managed rank phase after skip limit where declared
// slots: labels id where
// returns: element labels properties own key
// plan: Top !AllNodesScan
// internal: hidden
// A page of the nodes of one or several labels by scan and sort: of types without an index to walk, and of small types,
// several at a time. $ranks gives each type its place; a node belongs to its declared label, else to its first. With $ranks
// null all nodes with the label belong to it. Within a type those that have an id of their own come first (phase 0).
// A place in the form of a list keeps the planner from sorting by its parts as soon as it has them, which takes more than Top.
MATCH (n:{{labels}})
WHERE {{where}} AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
WITH n, CASE WHEN $ranks IS NULL THEN 0 ELSE $ranks[CASE WHEN $declared IS NULL THEN labels(n)[0] ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END] END AS rank,
     coalesce(n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) AS own
WHERE rank >= $rank
WITH n, rank, own, CASE WHEN own THEN 0 ELSE 1 END AS phase, CASE WHEN own THEN n.{{id}} ELSE elementId(n) END AS key
WHERE rank > $rank OR phase > $phase OR (phase = $phase AND key > $after)
WITH n, own, key, [rank, phase] AS place ORDER BY place, key SKIP $skip LIMIT $limit
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties, own, key
