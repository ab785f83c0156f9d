package httpapi

import (
	"net/http"

	"graphrest/internal/fault"
)

// checkSavedView checks a request about one saved view: whether the user may read it, and whether it is the user's.
func (e *explanation) checkSavedView() error {
	id := e.values["id"]
	if cannotBeID(id) {
		return e.addResult(fault.New(fault.NotFound, "There is no such saved view"), "saved view", "")
	}
	user := savedViewUser(e.principal)
	if e.method == http.MethodDelete && user.Admin {
		e.pass("owner", "an administrator may delete every saved view")
		return nil
	}
	v, err := e.call.api.options.SavedViews.SavedView(e.ctx(), user, id)
	switch {
	case err != nil:
		return e.addResult(err, "saved view", "")
	case v.Own:
		e.pass("owner", "the saved view belongs to the user")
	case e.method == http.MethodGet || e.method == http.MethodHead:
		e.pass("shared", "the saved view is shared with the user")
	default:
		e.fail("owner", "the saved view belongs to somebody else", fault.PermissionDenied)
	}
	return nil
}
