// name: webhook_purge
// access: write
// params: uid keep
// returns: removed
// plan: NodeIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on webhooks
// Removes deliveries of a webhook that are dead and were put on the list longer than $keep milliseconds ago.
MATCH (d:_GraphrestDelivery) WHERE d.webhook = $uid AND d.position > 0 AND d.state = 'dead' AND d.created_at < timestamp() - $keep
DELETE d
RETURN count(*) AS removed
