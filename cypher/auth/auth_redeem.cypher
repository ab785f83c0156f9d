// name: auth_redeem
// access: write
// params: jti expires_at version
// returns: first
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: own - one token id that may be used once
// expires_at is in seconds since 1970. Of several calls one gets true: the lock on the state node serializes them.
OPTIONAL MATCH (used:_GraphrestRevokedToken {jti: $jti})
WITH used IS NULL AS first
MERGE (t:_GraphrestRevokedToken {jti: $jti})
ON CREATE SET t.expires_at = $expires_at, t.version = $version
RETURN first
