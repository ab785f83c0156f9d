// name: changeset_comment
// access: write
// params: id user comment max max_of_user rows audit
// lists: rows
// returns: added
// plan: NodeUniqueIndexSeek !AllNodesScan !NodeByLabelScan
// internal: only - it works on change sets
// Adds a comment, unless there are too many, of all users or of this one. A repeated attempt finds its comment, which contains a random id.
MATCH (c:_GraphrestChangeSet {id: $id})
SET c += {}
WITH c, c.comments AS comments, c.commenters AS commenters
WITH c, comments, commenters, $comment IN comments AS repeated,
  size(comments) >= $max OR size([u IN commenters WHERE u = $user]) >= $max_of_user AS full
WITH c, comments, commenters, repeated, CASE WHEN repeated OR full THEN [] ELSE [[0, '']] END AS done
FOREACH (_ IN done | SET c.comments = comments + [$comment], c.commenters = commenters + [$user])
WITH c, done, repeated
{{>audit}}
RETURN repeated OR size(done) > 0 AS added
