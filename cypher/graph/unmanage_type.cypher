// name: unmanage_type
// access: schema
// params: -
// slots: name
// returns: -
// plan: -
// internal: none - drops an id constraint that adopt made, on a type that holds no id any more
DROP CONSTRAINT {{name}} IF EXISTS
