package cypher

// The statements on saved views.
var (
	SavedViewList   = load("savedview/saved_view_list")
	SavedViewRead   = load("savedview/saved_view_read")
	SavedViewCreate = load("savedview/saved_view_create")
	SavedViewUpdate = load("savedview/saved_view_update")
	SavedViewDelete = load("savedview/saved_view_delete")
)
