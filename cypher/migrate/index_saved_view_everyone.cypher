// name: index_saved_view_everyone
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestSavedViewEveryone IF NOT EXISTS FOR (v:_GraphrestSavedView) ON (v.everyone)
