// name: ping
// access: read
// params: -
// returns: ok
// plan: -
// internal: none - reads no data
RETURN 1 AS ok
