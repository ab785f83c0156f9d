// name: search_nodes
// access: read
// params: asked max_hits type managed limit view
// slots: id view
// returns: truncated total hits
// plan: ProcedureCall !AllNodesScan
// hits: 12 per row
// internal: hidden
// Finds the best nodes of some searches. Each of $asked searches one property of one index, so that a hit says which properties contain the
// words. Of each search, the $max_hits best hits are read.
UNWIND $asked AS a
CALL (a) {
  CALL db.index.fulltext.queryNodes(a.index, a.query, {limit: $max_hits + 1}) YIELD node, score
  RETURN collect({node: node, score: score}) AS found
}
WITH collect({property: a.property, found: found}) AS searches
WITH searches, any(s IN searches WHERE size(s.found) > $max_hits) AS truncated
CALL (searches) {
  UNWIND searches AS s
  UNWIND s.found[..$max_hits] AS hit
  WITH s.property AS property, hit.node AS n, hit.score AS score
  WHERE {{>visible_node n}} AND ($type IS NULL OR $type IN labels(n))
    AND {{view}}
  WITH n, max(score) AS score, collect(DISTINCT property) AS matched
  WITH elementId(n) AS element, score, matched,
       CASE WHEN coalesce($managed <> [] AND n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) THEN n.{{id}} ELSE elementId(n) END AS key
  ORDER BY score DESC, key, element
  RETURN collect([element, score, matched]) AS hits
}
RETURN truncated, size(hits) AS total, hits[..$limit] AS hits
