// name: index_saved_view_owner
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestSavedViewOwner IF NOT EXISTS FOR (v:_GraphrestSavedView) ON (v.owner_id)
