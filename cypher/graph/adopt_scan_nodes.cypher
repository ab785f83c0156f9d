// name: adopt_scan_nodes
// access: read
// params: -
// slots: type id
// returns: element
// plan: NodeByLabelScan !Sort !AllNodesScan
// internal: hidden
// The nodes of a label that do not hold the id property, as they come: the caller reads them as a stream.
MATCH (n:{{type}})
WHERE n.{{id}} IS NULL AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN elementId(n) AS element
