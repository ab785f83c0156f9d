// name: list_nodes_together
// access: read
// params: -
// slots: together
// returns: found
// plan: IntersectionNodeByLabelsScan !NodeByLabelScan !AllNodesScan
// hits: 300
// internal: none - says only whether a node has two labels; the caller reads the nodes by another statement
// Says whether some node has a label together with one of some others: see cypher.Together.
RETURN {{together}} AS found
