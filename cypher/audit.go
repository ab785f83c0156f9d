package cypher

// The statements on the audit. Those that change the graph write it along: see audit.part.
var (
	AuditRecord = load("audit/audit_record")
	AuditRead   = load("audit/audit_read")
	AuditPurge  = load("audit/audit_purge")
)
