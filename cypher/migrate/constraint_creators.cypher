// name: constraint_creators
// access: read
// params: -
// returns: creators
// plan: -
// internal: own - transactions that may be creating a constraint: Neo4j lists those with an empty query
SHOW TRANSACTIONS YIELD currentQuery
WHERE currentQuery = '' OR (currentQuery CONTAINS 'CREATE CONSTRAINT' AND NOT currentQuery CONTAINS 'SHOW TRANSACTIONS')
RETURN count(*) AS creators
