// name: export_nodes
// access: read
// params: first chosen
// slots: type internal
// returns: element labels properties
// plan: NodeByLabelScan/SubtractionNodeByLabelsScan !Sort !AllNodesScan
// internal: hidden
// Returns the nodes of a label, unsorted. A node with several labels is returned for one of them: the first of its labels that is in
// $chosen, or the first of all if $chosen is null.
MATCH (n:{{type}})
WHERE NOT n:{{internal}}
  AND CASE WHEN $chosen IS NULL THEN labels(n)[0] ELSE [l IN labels(n) WHERE l IN $chosen][0] END = $first
RETURN elementId(n) AS element, labels(n) AS labels, n {.*} AS properties
