// name: audit_read
// access: read
// params: since before last action kind outcome texts scan
// returns: seen last_at last_element found
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan !Sort !Top
// internal: only - it works on entries of the audit
// Reads the newest entries from $since on and before $before, without those with an element id above $last, which were read before. It
// scans at most $scan entries and returns where it stopped. Each entry found has at least one line that contains all of $texts.
MATCH (e:_GraphrestAudit) WHERE e.at >= $since AND e.at <= $before
  AND (e.at < $before OR $last = '' OR elementId(e) <= $last)
WITH e, e.at AS at, elementId(e) AS element
ORDER BY at DESC, element DESC LIMIT $scan
WITH count(*) AS seen, collect([at, element]) AS places, collect(CASE WHEN
  ($action = '' OR e.action = $action) AND ($kind = '' OR e.kind = $kind) AND ($outcome = '' OR e.outcome = $outcome)
  AND any(line IN e.lines WHERE all(text IN $texts WHERE line CONTAINS text))
  THEN e {.*, element: element} END) AS found
RETURN seen, places[-1][0] AS last_at, places[-1][1] AS last_element, found
