package auth

import "graphrest/internal/fault"

// Authorize checks that the principal has a permission. PERMISSION_DENIED, the same for every target.
func Authorize(p Principal, want Permission) error {
	if p.May(want) {
		return nil
	}
	return fault.New(fault.PermissionDenied, "Permission denied: this needs the permission "+string(want))
}

// AuthorizeAdmin checks that the principal may administer users. PERMISSION_DENIED.
func AuthorizeAdmin(p Principal) error {
	if p.Admin {
		return nil
	}
	return fault.New(fault.PermissionDenied, "Permission denied: only administrators may do this")
}
