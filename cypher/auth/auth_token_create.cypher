// name: auth_token_create
// access: write
// params: token permissions version
// returns: -
// plan: Create !AllNodesScan
// internal: own - one service token with its permissions
CREATE (t:_GraphrestServiceToken)
SET t = $token, t.version = $version
WITH t
UNWIND $permissions AS name
MERGE (p:_GraphrestPermission {name: name})
CREATE (t)-[:_GraphrestHas]->(p)
