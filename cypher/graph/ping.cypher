// name: ping
// access: read
// params: -
// returns: ok
// plan: -
// internal: none - touches no data at all
RETURN 1 AS ok
