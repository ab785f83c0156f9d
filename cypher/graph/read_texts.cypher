// name: read_texts
// access: read
// params: element keys
// returns: texts
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Reads values that the driver cannot decode (date-times in a time zone that this program does not know) as strings.
MATCH (n) WHERE elementId(n) = $element AND {{>visible_node n}}
RETURN [key IN $keys | CASE WHEN n[key] IS :: LIST<ANY> THEN [v IN n[key] | toString(v)] ELSE toString(n[key]) END] AS texts
