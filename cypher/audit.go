package cypher

// The statements on the audit. Statements that change the graph write their own entries: see audit.part.
var (
	AuditRecord = load("audit/audit_record")
	AuditRead   = load("audit/audit_read")
	AuditPurge  = load("audit/audit_purge")
	AuditUse    = load("audit/audit_use")
)
