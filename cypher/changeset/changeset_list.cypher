// name: changeset_list
// access: read
// params: before status author limit scan
// returns: stored last seen
// plan: NodeUniqueIndexSeekByRange/NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan !Sort !Top
// internal: only - it works on change sets
// The change sets before an id, newest first: the first $limit that match of at most $scan. Every row has the number of those that were
// scanned and the id of the last one. If none matches there is one row without a change set.
MATCH (c:_GraphrestChangeSet) WHERE c.id < $before
WITH c, c.id AS id ORDER BY id DESC LIMIT $scan
WITH count(*) AS seen, min(id) AS last, collect(CASE WHEN ($status = '' OR c.status = $status)
  AND ($author = '' OR c.author = $author OR c.author_id = $author) THEN c END)[..$limit] AS found
UNWIND CASE WHEN found = [] THEN [null] ELSE found END AS c
RETURN properties(c) AS stored, last, seen
