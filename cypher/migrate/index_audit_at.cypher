// name: index_audit_at
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestAuditAt IF NOT EXISTS FOR (e:_GraphrestAudit) ON (e.at)
