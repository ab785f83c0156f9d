// name: search_nodes
// access: read
// params: asked max_hits type managed limit view
// slots: id view
// returns: truncated total hits
// plan: ProcedureCall !AllNodesScan
// hits: 12 per row
// internal: hidden
// Finds the best nodes of some searches. Each of $asked searches for all words in one index: with a property, in which one of them must be,
// or with the number of a word, which must be in some of the properties. A node is a hit if it is found for each of the index's numbered
// words. Its score is the sum of the scores for these, or the highest one if there are none. Each search reads its $max_hits best hits.
UNWIND $asked AS a
CALL (a) {
  CALL db.index.fulltext.queryNodes(a.index, a.query, {limit: $max_hits + 1}) YIELD node, score
  RETURN collect({node: node, score: score}) AS found
}
WITH collect({asked: a, found: found}) AS searches
WITH searches, any(s IN searches WHERE size(s.found) > $max_hits) AS truncated
CALL (searches) {
  UNWIND searches AS s
  UNWIND s.found[..$max_hits] AS hit
  WITH s.asked AS asked, hit.node AS n, hit.score AS score
  WHERE {{>visible_node n}} AND ($type IS NULL OR $type IN labels(n))
    AND {{view}}
  WITH n, asked.index AS index, asked.words AS words, count(DISTINCT asked.word) AS found, collect(DISTINCT asked.property) AS matched,
       max(score) AS best, sum(CASE WHEN asked.word IS NULL THEN 0.0 ELSE score END) AS total
  WHERE found = words
  WITH n, max(CASE words WHEN 0 THEN best ELSE total END) AS score, collect(matched) AS matched
  WITH elementId(n) AS element, score, matched,
       CASE WHEN coalesce($managed <> [] AND n.{{id}} > '' AND any(l IN labels(n) WHERE l IN $managed), false) THEN n.{{id}} ELSE elementId(n) END AS key
  ORDER BY score DESC, key, element
  RETURN collect([element, score, matched]) AS hits
}
RETURN truncated, size(hits) AS total, hits[..$limit] AS hits
