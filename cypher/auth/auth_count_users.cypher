// name: auth_count_users
// access: read
// params: -
// returns: users
// plan: NodeCountFromCountStore !AllNodesScan
// internal: own - the number of users
MATCH (u:_GraphrestUser)
RETURN count(u) AS users
