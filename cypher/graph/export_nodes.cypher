// name: export_nodes
// access: read
// params: first chosen
// slots: type internal
// returns: element labels properties
// plan: NodeByLabelScan/SubtractionNodeByLabelsScan !Sort !AllNodesScan
// internal: hidden
// The nodes of a label as they come. A node with several labels is read under one of them: the first that is among $chosen,
// or its first of all where $chosen is null.
MATCH (n:{{type}})
WHERE NOT n:{{internal}}
  AND CASE WHEN $chosen IS NULL THEN labels(n)[0] ELSE [l IN labels(n) WHERE l IN $chosen][0] END = $first
RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS properties
