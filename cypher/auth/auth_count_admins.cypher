// name: auth_count_admins
// access: read
// params: -
// returns: admins
// plan: NodeByLabelScan !AllNodesScan
// internal: own - the number of enabled administrators
MATCH (u:_GraphrestUser) WHERE u.admin = true AND coalesce(u.disabled, false) = false
RETURN count(u) AS admins
