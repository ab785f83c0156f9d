// name: journal_texts
// access: read
// params: element keys
// returns: texts
// plan: NodeByElementIdSeek !AllNodesScan
// internal: only - it works on records of changes
// Reads values of a record that the driver cannot decode as strings: see read_texts.
MATCH (c) WHERE elementId(c) = $element AND c:_GraphrestChange
RETURN [key IN $keys | CASE WHEN c[key] IS :: LIST<ANY> THEN [v IN c[key] | toString(v)] ELSE toString(c[key]) END] AS texts
