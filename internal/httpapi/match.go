package httpapi

import (
	"maps"
	"net/http"
	"slices"

	"graphrest/internal/answer"
	"graphrest/internal/pattern"
	"graphrest/internal/typedjson"
)

const questionPath = "/api/match"

// match answers POST /api/match.
//
//	@Summary		Match a pattern
//	@Description	Answers a question over several hops: match has 1 to 4 chains, each an array that alternates nodes and hops and begins
//	@Description	and ends with a node, of up to 6 nodes. A node is {"as","type","id","filter","any"}, a hop
//	@Description	{"edge","direction","as","filter","any","hops"}; each member may be left out. id may be an array of up to 1,000: the node has
//	@Description	one of them. A row is one way to bind all names (as) so that
//	@Description	every chain of match exists and no chain of without can be completed. columns are names and properties of them (p,
//	@Description	p.born), every name by default. With group_by or measures the rows are put into groups: op of a measure is count, sum,
//	@Description	mean, min or max. sort names columns, with a minus sign for the descending order. A name in a cell is {"$node":id} or
//	@Description	{"$edge":id}, and the node or edge is in nodes or edges. Only what the caller sees is matched, in every part. Accept:
//	@Description	text/csv and application/x-ndjson give the rows alone. With explain=true the answer is {"cypher","parameters","plan"}
//	@Description	and nothing is run; a caller whom rules limit gets PERMISSION_DENIED. Nothing is changed.
//	@Tags			Patterns
//	@Param			explain	query		bool		false	"Answer the statement and its plan instead of running it"
//	@Param			body	body		MatchBody	true	"The question"
//	@Success		200		{object}	MatchAnswer
//	@Router			/api/match [post]
func (a *API) match(c *call) error {
	explain := c.readBoolean("explain")
	q := c.readQuestion()
	format := c.readAnswerFormat()
	if err := c.validate(); err != nil {
		return err
	}
	q.UserID = c.principal.UserID
	if explain != nil && *explain {
		explained, err := a.options.Matcher.ExplainMatch(c.ctx(), q)
		if err != nil {
			return err
		}
		c.send(http.StatusOK, func(b []byte) []byte { return appendExplanation(b, explained) })
		return nil
	}
	found, err := a.options.Matcher.Match(c.ctx(), q)
	if err != nil {
		return err
	}
	c.sendAnswer(found, format)
	return nil
}

// readQuestion reads the body of a question; nil if it is none.
func (c *call) readQuestion() *pattern.Question {
	if len(c.body) == 0 {
		return nil // readBody has recorded the problem
	}
	tree, f := typedjson.ParseTree("", string(c.body))
	if f != nil {
		c.addProblem(f)
		return nil
	}
	q, f := pattern.Parse("", tree, nil)
	c.addProblem(f)
	return q
}

func appendExplanation(b []byte, e *pattern.Explanation) []byte {
	b = typedjson.AppendString(append(b, `{"cypher":`...), e.Cypher)
	b = append(b, `,"parameters":{`...)
	for i, name := range slices.Sorted(maps.Keys(e.Parameters)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = answer.AppendCell(append(typedjson.AppendString(b, name), ':'), e.Parameters[name])
	}
	return append(appendJSON(e.Plan)(append(b, `},"plan":`...)), '}')
}
