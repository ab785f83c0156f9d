package cypher

// The statements that create the gateway's own constraints, indexes and state.
var (
	// OwnSchema is idempotent: its statements may be run any number of times.
	OwnSchema = []Statement{
		load("migrate/constraint_state_name"),
		load("migrate/constraint_user_id"),
		load("migrate/constraint_user_folded"),
		load("migrate/constraint_permission_name"),
		load("migrate/constraint_revoked_jti"),
		load("migrate/constraint_deleted_id"),
		load("migrate/constraint_idempotency_key"),
		load("migrate/constraint_type_key"),
		load("migrate/constraint_name_budget_key"),
		load("migrate/constraint_list_shape_key"),
		load("migrate/index_user_version"),
		load("migrate/index_revoked_version"),
		load("migrate/index_revoked_expiry"),
		load("migrate/index_deleted_version"),
		load("migrate/index_idempotency_expiry"),
		load("migrate/index_audit_at"),
	}
	OwnConstraints = load("migrate/own_constraints")
	InitState      = load("migrate/init_state")
)
