// name: read_texts
// access: read
// params: element keys
// returns: texts
// plan: NodeByElementIdSeek !AllNodesScan
// internal: hidden
// Reads values that the driver cannot decode (date-times in a time zone that this program does not know) as strings.
MATCH (n) WHERE elementId(n) = $element AND none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')
RETURN [key IN $keys | CASE WHEN n[key] IS :: LIST<ANY> THEN [v IN n[key] | toString(v)] ELSE toString(n[key]) END] AS texts
