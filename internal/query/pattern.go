package query

import (
	"context"
	"slices"

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

// question is the question of a pattern with values of the parameters that it refers to. VALIDATION_ERROR: a value that
// its condition cannot have is a fault of the parameter, whose field is given. A caller can change no other, and not one that is filled
// from what the caller is.
func (d *Definition) question(values map[string]graph.Value, field func(name string) string) (*pattern.Question, error) {
	return d.parseQuestion(func(c *graph.Condition, p *Parameter) (graph.Value, *fault.Error) {
		value := values[p.Name]
		if value == nil {
			return nil, nil
		}
		problem := c.Operator.CheckLiteral(field(p.Name), value)
		if problem != nil && p.From != "" {
			problem = fault.Invalid(field(p.Name), "is filled from %s, whose value %s", p.From, problem.Details[0].Message)
		}
		return value, problem
	})
}

func (d *Definition) parseQuestion(resolve func(*graph.Condition, *Parameter) (graph.Value, *fault.Error)) (*pattern.Question, error) {
	tree, f := typedjson.ParseTree(patternField, d.Pattern)
	if f != nil {
		return nil, f
	}
	q, f := pattern.Parse(patternField, tree, func(c *graph.Condition, name string) (graph.Value, *fault.Error) {
		i := slices.IndexFunc(d.Parameters, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			return nil, fault.Invalid(c.Field, "refers to %s, which is not a parameter of this query", name)
		}
		return resolve(c, &d.Parameters[i])
	})
	if f != nil {
		return nil, f
	}
	return q, nil
}

// match answers the pattern of a saved query with the rights of the caller, whose view the context has. Answers are not cached: other
// callers see others.
func (s *Service) match(
	ctx context.Context, c Caller, q *Query, values map[string]graph.Value, given Given,
) (*answer.Answer, error) {
	if !c.MayRead {
		return nil, fault.New(fault.PermissionDenied, "This needs the permission read as well")
	}
	question, err := q.question(values, given.field)
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
	question, err := q.question(nil, nil)
	if err != nil {
		return err
	}
	q.Columns, q.Operators = question.ColumnNames(), []string{}
	return nil
}

// checkPatternTypes refuses a pattern with a condition that can have no value of its parameter's type, so that no run could succeed.
func (q *Query) checkPatternTypes() error {
	_, err := q.parseQuestion(func(c *graph.Condition, p *Parameter) (graph.Value, *fault.Error) {
		var problem *fault.Error
		for _, sample := range q.inputs.byName[p.Name].samples {
			if problem = c.Operator.CheckLiteral(c.Field, sample); problem == nil {
				return nil, nil
			}
		}
		if problem == nil {
			return nil, nil // of any type
		}
		const message = "%s: the parameter %s has the wrong type: its value %s"
		return nil, fault.Invalid(c.Field, message, c.Operator, p.Name, problem.Details[0].Message)
	})
	return err
}
