// name: adopt_nodes
// access: write
// params: rows
// slots: type id
// returns: total
// plan: NodeByElementIdSeek !AllNodesScan !NodeByLabelScan
// internal: hidden
// Gives nodes their ids, each {element, id}. SET n += {} takes the write lock and changes nothing; only then is it decided
// whether the node still has the label and still lacks an id, so that of two who adopt at once one has nothing to do.
UNWIND $rows[0] AS row
MATCH (n) WHERE elementId(n) = row.element
SET n += {}
WITH n, row
WHERE n:{{type}} AND n.{{id}} IS NULL AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
SET n.{{id}} = row.id
RETURN count(n) AS total
