// name: audit_record
// access: write
// params: entries
// returns: -
// plan: Create !AllNodesScan
// internal: only - entries of the audit only
// Entries that go with no change of the graph, each a map of the properties that audit.part writes, but for the time.
UNWIND $entries AS entry
CREATE (e:_GraphrestAudit)
SET e = entry, e.at = timestamp()
