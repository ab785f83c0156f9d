// name: make_label
// access: write
// params: label entries
// returns: -
// plan: -
// internal: none - creates the name of a label that the domain accepts, and entries of the audit as audit_record does
CALL db.createLabel($label)
UNWIND $entries AS entry
CREATE (e:_GraphrestAudit)
SET e = entry, e.at = timestamp()
