// name: webhook_record
// access: write
// params: holder uid cursor remaining delivered
// lists: remaining delivered
// returns: recorded
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on webhooks
// Stores what a deliverer has done. It returns no row if another has taken the lease, which the lock on the state decides, or if the
// webhook was deleted.
MATCH (s:_GraphrestState {name: 'webhooks'})
SET s += {}
WITH s WHERE s.holder = $holder
MATCH (w:_GraphrestWebhook {uid: $uid})
SET w.cursor = coalesce($cursor, w.cursor)
WITH w
CALL () {
  UNWIND $delivered[0] AS id
  MATCH (d:_GraphrestDelivery {id: id})
  DELETE d
  RETURN count(*) AS removed
}
CALL (w) {
  UNWIND $remaining[0] AS row
  MERGE (d:_GraphrestDelivery {id: row.id})
  ON CREATE SET d.created_at = timestamp()
  SET d += row.set, d.webhook = w.uid, d.next_at = timestamp() + row.pause,
    d.attempted_at = CASE WHEN row.since IS NULL THEN d.attempted_at ELSE timestamp() - row.since END
  RETURN count(*) AS stored
}
RETURN removed + stored AS recorded
