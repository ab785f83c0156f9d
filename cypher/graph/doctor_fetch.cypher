// name: doctor_fetch
// access: read
// params: url
// returns: total
// plan: -
// internal: none - tries to fetch a file; it knows no nodes and no edges
// How the server fails says whether it would fetch one from an address that exists.
LOAD CSV FROM $url AS row
RETURN count(row) AS total
