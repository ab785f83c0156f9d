// name: doctor_procedures
// access: read
// params: -
// returns: name
// plan: -
// internal: none - names of procedures; it reads no nodes and no edges
SHOW PROCEDURES YIELD name
RETURN name
