// name: drop_search_index
// access: schema
// params: -
// slots: name
// returns: -
// plan: -
// internal: none - drops an index that a request created
DROP INDEX {{name}}
