// name: edges_at_internal
// access: read
// params: verify
// slots: records
// returns: at_records labels
// plan: RelationshipCountFromCountStore !AllNodesScan !DirectedAllRelationshipsScan
// hits: 300
// internal: none - counts them; see neo4jentity.ExclusionCache.EndsAreVisible
// Counts the visible relationships at the nodes of internal labels in the count store: the slot records is cypher.CountVisibleEdgesAt.
// labels are the internal labels in use now.
{{>internal_labels}}
RETURN {{records}} AS at_records, labels
