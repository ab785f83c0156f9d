// name: schema_node_lists
// access: read
// params: names limit longest
// slots: type
// returns: name longer least most
// plan: NodeByLabelScan Limit !AllNodesScan
// internal: hidden
// Of properties that hold what valueType() calls a list of integers, in so many nodes of a label, the two ends in order, but for those
// that are too long: bytes are such a list too, which only the driver tells.
MATCH (x:{{type}})
WHERE none(l IN labels(x) WHERE toLower(l) STARTS WITH '_graphrest')
WITH x LIMIT $limit
UNWIND $names AS name
WITH name, x[name] AS value
WHERE value IS :: LIST<INTEGER NOT NULL> NOT NULL
WITH name, size(value) > $longest AS long, value
RETURN name, sum(CASE WHEN long THEN 1 ELSE 0 END) AS longer,
       min(CASE WHEN NOT long THEN value END) AS least, max(CASE WHEN NOT long THEN value END) AS most
