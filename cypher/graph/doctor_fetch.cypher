// name: doctor_fetch
// access: read
// params: url
// returns: total
// plan: -
// internal: none - tries to fetch a file; it reads no nodes and no edges
// The kind of the server's error shows whether it would fetch a file from a reachable address.
LOAD CSV FROM $url AS row
RETURN count(row) AS total
