package query

import (
	"context"

	"graphrest/internal/answer"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/pattern"
	"graphrest/internal/typedjson"
)

// patternField is the member of a definition that has a pattern in place of Cypher.
const patternField = "pattern"

// parsePattern reads the pattern of a definition. Compile checks it, together with the parameters.
func parsePattern(o *typedjson.Object, d Definition) Definition {
	tree, given := o.Tree(patternField)
	switch _, hasCypher := o.OptionalString("cypher"); {
	case given && hasCypher:
		o.Invalid(patternField, "cannot be combined with cypher")
	case given:
		d.Cypher, d.Pattern = "", string(typedjson.AppendTree(nil, tree))
	case hasCypher:
		d.Pattern = ""
	}
	return d
}

// question is the question of a pattern with values of the parameters that it refers to. VALIDATION_ERROR.
func (d *Definition) question(values map[string]graph.Value) (*pattern.Question, error) {
	tree, f := typedjson.ParseTree(patternField, d.Pattern)
	if f != nil {
		return nil, f
	}
	declared := map[string]bool{}
	for i := range d.Parameters {
		declared[d.Parameters[i].Name] = true
	}
	q, f := pattern.Parse(patternField, tree, func(place, name string) (graph.Value, *fault.Error) {
		if !declared[name] {
			return nil, fault.Invalid(place, "refers to %s, which is not a parameter of this query", name)
		}
		return values[name], nil
	})
	if f != nil {
		return nil, f
	}
	return q, nil
}

// match answers the pattern of a saved query with the rights of the caller, whose view the context has. Answers are not cached: other
// callers see others.
func (s *Service) match(ctx context.Context, c Caller, q *Query, values map[string]graph.Value) (*answer.Answer, error) {
	if !c.MayRead {
		return nil, fault.New(fault.PermissionDenied, "This needs the permission read as well")
	}
	question, err := q.question(values)
	if err != nil {
		return nil, err
	}
	question.Limit = min(question.Limit, q.MaxRows)
	question.UserID, question.Timeout, question.Began = c.LimitedAs, q.Timeout, c.begin
	question.MaxBytes = q.MaxBytes
	found, err := s.matcher.Match(ctx, question)
	if err == nil && found.Meta.Page.HasMore && found.Meta.Truncated == answer.Whole {
		found.Meta.Truncated = answer.RowLimit
	}
	return found, err
}

// compilePattern checks the pattern. No guard judges it: it reads only what its caller sees.
func (q *Query) compilePattern() error {
	question, err := q.question(nil)
	if err != nil {
		return err
	}
	q.Columns, q.Operators = question.ColumnNames(), []string{}
	return nil
}
