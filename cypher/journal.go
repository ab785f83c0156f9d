package cypher

// The statements on records of changes. Statements that change the graph write the records themselves: see journal/README.md.
var (
	JournalHistory = load("journal/journal_history")
	JournalChange  = load("journal/journal_change")
	JournalChanges = load("journal/journal_changes")
	JournalRequest = load("journal/journal_request")
	JournalWith    = load("journal/journal_with")
	JournalTexts   = load("journal/journal_texts")
	JournalAround  = load("journal/journal_around")
	JournalTrash   = load("journal/journal_trash")
	JournalFeed    = load("journal/journal_feed")
	JournalAt      = load("journal/journal_at")
	JournalRecent  = load("journal/journal_recent")
	JournalState   = load("journal/journal_state")
	JournalOrder   = load("journal/journal_order")
	JournalPurge   = load("journal/journal_purge")
	JournalMeasure = load("journal/journal_measure")
	JournalDeleted = load("journal/journal_deleted")
	JournalMade    = load("journal/journal_made")
	JournalLast    = load("journal/journal_last")
	JournalRemoved = load("journal/journal_removed")

	RestoreNodes = load("graph/restore_nodes")
	RestoreEdges = load("graph/restore_edges")
	RevertNodes  = load("graph/revert_nodes")
	RevertEdges  = load("graph/revert_edges")

	HoldersOfNodes = load("graph/holders_of_nodes")
	HoldersOfEdges = load("graph/holders_of_edges")

	JournalErase = load("journal/journal_erase")
)

// Held is the condition that an entity has the values of a unique key, which are the list row.
func Held(variable Variable, properties []string) Fragment {
	conditions := make([]Fragment, len(properties))
	for i, name := range properties {
		conditions[i] = heldValue.fill(Slots{"variable": variable.fragment(), "key": Quote(name), "n": number(i)})
	}
	return And(conditions)
}

var heldValue = newTemplate("{{variable}}.{{key}} = row[{{n}}]")
