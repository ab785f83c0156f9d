// name: audit_record
// access: write
// params: entries
// returns: -
// plan: Create !AllNodesScan
// internal: only - it works on entries of the audit
// Creates entries that belong to no change of the graph. Each is a map of the properties that audit.part writes, except the time.
UNWIND $entries AS entry
CREATE (e:_GraphrestAudit)
SET e = entry, e.at = timestamp()
