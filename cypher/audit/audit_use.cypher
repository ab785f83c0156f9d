// name: audit_use
// access: read
// params: -
// returns: total oldest
// plan: NodeCountFromCountStore NodeIndexSeekByRange !AllNodesScan !NodeByLabelScan !Sort !Top
// internal: only - it works on entries of the audit
// The number of entries, from the count store, and the time of the oldest one in milliseconds; null if there are none.
CALL () { MATCH (e:_GraphrestAudit) RETURN count(e) AS total }
CALL () {
  OPTIONAL MATCH (o:_GraphrestAudit) WHERE o.at > 0
  WITH o ORDER BY o.at LIMIT 1
  RETURN collect(o.at)[0] AS oldest
}
RETURN total, oldest
