// name: search_edges
// access: read
// params: asked max_hits type managed limit view
// slots: id view
// returns: truncated total hits
// plan: ProcedureCall !DirectedAllRelationshipsScan
// hits: 12 per row
// internal: hidden
// Finds the best relationships of some searches: see search_nodes.
UNWIND $asked AS a
CALL (a) {
  CALL db.index.fulltext.queryRelationships(a.index, a.query, {limit: $max_hits + 1}) YIELD relationship, score
  RETURN collect({edge: relationship, score: score}) AS found
}
WITH collect({asked: a, found: found}) AS searches
WITH searches, any(s IN searches WHERE size(s.found) > $max_hits) AS truncated
CALL (searches) {
  UNWIND searches AS s
  UNWIND s.found[..$max_hits] AS hit
  WITH s.asked AS asked, hit.edge AS r, hit.score AS score
  WITH asked, r, score, startNode(r) AS a, endNode(r) AS b
  WHERE {{>visible_edge}}
    AND ($type IS NULL OR type(r) = $type) AND {{view}}
  WITH r, asked.index AS index, asked.words AS words, count(DISTINCT asked.word) AS found, collect(DISTINCT asked.property) AS matched,
       max(score) AS best, sum(CASE WHEN asked.word IS NULL THEN 0.0 ELSE score END) AS total
  WHERE found = words
  WITH r, max(CASE words WHEN 0 THEN best ELSE total END) AS score, collect(matched) AS matched
  WITH elementId(r) AS element, score, matched,
       CASE WHEN coalesce(type(r) IN $managed AND r.{{id}} > '', false) THEN r.{{id}} ELSE elementId(r) END AS key
  ORDER BY score DESC, key, element
  RETURN collect([element, score, matched]) AS hits
}
RETURN truncated, size(hits) AS total, hits[..$limit] AS hits
