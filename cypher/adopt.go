package cypher

// The statements of adopt, which assigns ids to existing entities and can remove them again.
var (
	AdoptCountNodes = load("graph/adopt_count_nodes")
	AdoptCountEdges = load("graph/adopt_count_edges")
	AdoptScanNodes  = load("graph/adopt_scan_nodes")
	AdoptScanEdges  = load("graph/adopt_scan_edges")
	AdoptNodes      = load("graph/adopt_nodes")
	AdoptEdges      = load("graph/adopt_edges")
	AdoptUndoNodes  = load("graph/adopt_undo_nodes")
	AdoptUndoEdges  = load("graph/adopt_undo_edges")
	AdoptRecord     = load("graph/adopt_record")
	AdoptRuns       = load("graph/adopt_runs")
	AdoptClose      = load("graph/adopt_close")
	AdoptForget     = load("graph/adopt_forget")
	UnmanageType    = load("graph/unmanage_type")
)
