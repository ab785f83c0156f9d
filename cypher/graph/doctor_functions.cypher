// name: doctor_functions
// access: read
// params: -
// returns: name
// plan: -
// internal: none - names of functions; it reads no nodes and no edges
SHOW FUNCTIONS YIELD name, isBuiltIn
WHERE NOT isBuiltIn
RETURN name
