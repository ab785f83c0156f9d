package cypher

// DataLayout is the number of the form in which this version stores internal data. It grows with a change that an older version would
// misread, not with an addition, so that a version can go back as far as the number stays: see docs/compatibility.md.
const DataLayout = 1

// The statements that create the gateway's own constraints, indexes and state.
var (
	// OwnSchema is idempotent: its statements may be run any number of times.
	OwnSchema = []Statement{
		load("migrate/constraint_state_name"),
		load("migrate/constraint_user_id"),
		load("migrate/constraint_user_folded"),
		load("migrate/constraint_user_identity"),
		load("migrate/constraint_permission_name"),
		load("migrate/constraint_role_name"),
		load("migrate/constraint_revoked_jti"),
		load("migrate/constraint_deleted_id"),
		load("migrate/constraint_service_token_id"),
		load("migrate/constraint_service_token_folded"),
		load("migrate/constraint_service_token_hash"),
		load("migrate/constraint_idempotency_key"),
		load("migrate/constraint_type_key"),
		load("migrate/constraint_type_style_key"),
		load("migrate/constraint_name_budget_key"),
		load("migrate/constraint_list_shape_key"),
		load("migrate/constraint_change_set_id"),
		load("migrate/constraint_webhook_name"),
		load("migrate/constraint_webhook_uid"),
		load("migrate/constraint_delivery_id"),
		load("migrate/constraint_saved_view_id"),
		load("migrate/constraint_query_name"),
		load("migrate/index_user_version"),
		load("migrate/index_revoked_version"),
		load("migrate/index_revoked_expiry"),
		load("migrate/index_deleted_version"),
		load("migrate/index_service_token_version"),
		load("migrate/index_idempotency_expiry"),
		load("migrate/index_audit_at"),
		load("migrate/index_change_entity"),
		load("migrate/index_change_request"),
		load("migrate/index_change_position"),
		load("migrate/index_change_trash"),
		load("migrate/index_change_with"),
		load("migrate/index_unordered_id"),
		load("migrate/index_change_set_author"),
		load("migrate/index_change_set_closed"),
		load("migrate/index_delivery_position"),
		load("migrate/index_saved_view_owner"),
		load("migrate/index_token_owner"),
		load("migrate/index_saved_view_everyone"),
	}
	OwnConstraints        = load("migrate/own_constraints")
	OwnIndexes            = load("migrate/own_indexes")
	UnfinishedConstraints = load("migrate/unfinished_constraints")
	ConstraintCreators    = load("migrate/constraint_creators")
	InitState             = load("migrate/init_state")
	ReadDataLayout        = load("migrate/data_layout")
)
