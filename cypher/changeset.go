package cypher

// The statements on change sets. The operations of one that is applied are those of a batch: see operations.go.
var (
	ChangeSetUsage      = load("changeset/changeset_usage")
	ChangeSetDropClosed = load("changeset/changeset_drop_closed")
	ChangeSetCreate     = load("changeset/changeset_create")
	ChangeSetUpdate     = load("changeset/changeset_update")
	ChangeSetComment    = load("changeset/changeset_comment")
	ChangeSetRead       = load("changeset/changeset_read")
	ChangeSetList       = load("changeset/changeset_list")
	ChangeSetLock       = load("changeset/changeset_lock")
	ChangeSetChanges    = load("changeset/changeset_changes")
	ChangeSetPurge      = load("changeset/changeset_purge")
)
