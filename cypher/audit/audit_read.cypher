// name: audit_read
// access: read
// params: since before last user action entity kind outcome request scan
// returns: seen last_at last_element found
// plan: NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan !Sort !Top
// internal: only - entries of the audit only
// The newest entries from since on, up to before, of which those with an element id above last have been read. It looks at
// scan entries at most, whatever it finds among them, and says where it stopped.
MATCH (e:_GraphrestAudit) WHERE e.at >= $since AND e.at <= $before
  AND (e.at < $before OR $last = '' OR elementId(e) <= $last)
WITH e, e.at AS at, elementId(e) AS element
ORDER BY at DESC, element DESC LIMIT $scan
WITH count(*) AS seen, collect([at, element]) AS places, collect(CASE WHEN
  ($user = '' OR $user IN e.users OR $user IN e.user_ids) AND ($action = '' OR e.action = $action) AND ($kind = '' OR e.kind = $kind)
  AND ($entity = '' OR $entity IN e.entities OR e.kind = 'user' AND $entity IN e.names)
  AND ($outcome = '' OR e.outcome = $outcome) AND ($request = '' OR $request IN e.requests)
  THEN e {.*, element: element} END) AS found
RETURN seen, places[-1][0] AS last_at, places[-1][1] AS last_element, found
