// name: index_change_set_author
// access: schema
// params: -
// returns: -
// plan: -
// internal: own - a constraint or index of the gateway's own
CREATE RANGE INDEX _GraphrestChangeSetAuthor IF NOT EXISTS FOR (c:_GraphrestChangeSet) ON (c.author_id)
