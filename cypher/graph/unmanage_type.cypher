// name: unmanage_type
// access: schema
// params: -
// slots: name
// returns: -
// plan: -
// internal: none - drops an id constraint that adopt created, on a type without ids
DROP CONSTRAINT {{name}} IF EXISTS
