// name: auth_user_create
// access: write
// params: user version
// returns: -
// plan: Create
// internal: own - one user
CREATE (u:_GraphrestUser)
SET u = $user, u.version = $version
