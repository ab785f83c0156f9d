// name: adopt_count_nodes
// access: read
// params: -
// slots: type id
// returns: total held texts
// plan: NodeByLabelScan !AllNodesScan
// internal: hidden
// How many nodes a label has, how many of them hold the id property at all, and how many hold a text in it that can be an id.
MATCH (n:{{type}})
WHERE none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN count(*) AS total, count(n.{{id}}) AS held, count(CASE WHEN n.{{id}} > '' THEN 1 END) AS texts
