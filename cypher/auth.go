package cypher

// The statements on users, permissions and revoked token ids.
var (
	AuthLock            = load("auth/auth_lock")
	AuthNextVersion     = load("auth/auth_next_version")
	AuthChanges         = load("auth/auth_changes")
	AuthLoad            = load("auth/auth_load")
	AuthUser            = load("auth/auth_user")
	AuthNameHolder      = load("auth/auth_name_holder")
	AuthUserCreate      = load("auth/auth_user_create")
	AuthUserUpdate      = load("auth/auth_user_update")
	AuthUserPermissions = load("auth/auth_user_permissions")
	AuthUserDelete      = load("auth/auth_user_delete")
	AuthWasDeleted      = load("auth/auth_was_deleted")
	AuthCountUsers      = load("auth/auth_count_users")
	AuthCountAdmins     = load("auth/auth_count_admins")
	AuthRevoke          = load("auth/auth_revoke")
	AuthPurgeRevoked    = load("auth/auth_purge_revoked")
	AuthPurgeDeleted    = load("auth/auth_purge_deleted")
)
