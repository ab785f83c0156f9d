// name: constraint_saved_view_id
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE CONSTRAINT _GraphrestSavedViewId IF NOT EXISTS FOR (v:_GraphrestSavedView) REQUIRE v.id IS UNIQUE
