// name: unique_key_drop
// access: schema
// params: -
// slots: name
// returns: -
// plan: -
// internal: none - drops a constraint that a declaration created, by a name with the reserved prefix
DROP CONSTRAINT {{name}} IF EXISTS
