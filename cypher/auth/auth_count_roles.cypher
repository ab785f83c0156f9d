// name: auth_count_roles
// access: read
// params: -
// returns: roles
// plan: NodeCountFromCountStore !AllNodesScan
// internal: own - the number of roles
MATCH (r:_GraphrestRole)
RETURN count(r) AS roles
