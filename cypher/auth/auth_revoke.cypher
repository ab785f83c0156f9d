// name: auth_revoke
// access: write
// params: jti expires_at version
// returns: -
// plan: NodeUniqueIndexSeek/MergeUniqueNode !AllNodesScan
// internal: own - one revoked token id
// expires_at is in seconds since 1970.
MERGE (t:_GraphrestRevokedToken {jti: $jti})
ON CREATE SET t.expires_at = $expires_at, t.version = $version
