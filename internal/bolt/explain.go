package bolt

import (
	"context"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
)

// PlanCost is what the plan of a statement says about its cost. Rows are the planner's estimates.
type PlanCost struct {
	Scanned  int64 // of the largest scan without a property index; 0 if there is none
	Sought   int64 // of the largest look-up in a property index
	Expanded int64 // of the largest expansion of relationships
	Expands  bool
	Sorts    bool
}

// Explain reads what the plan that the database has for a statement costs, without running it. With the statement's own parameters it is
// found in the database's cache of plans.
func (c *Client) Explain(ctx context.Context, statement cypher.Text, params map[string]any) (PlanCost, error) {
	plan, err := c.ExplainPlan(ctx, statement, params)
	if err != nil {
		return PlanCost{}, err
	}
	var cost PlanCost
	cost.add(plan)
	return cost, nil
}

// ExplainPlan reads the plan of Explain.
func (c *Client) ExplainPlan(ctx context.Context, statement cypher.Text, params map[string]any) (Plan, error) {
	return withSession(ctx, c, neo4j.AccessModeRead, func(session neo4j.SessionWithContext) (Plan, error) {
		result, err := SendStatement(ctx, session, statement.Explain(), params, neo4j.WithTxTimeout(txTimeout(ctx)))
		if err != nil {
			return Plan{}, err
		}
		summary, err := result.Consume(ctx)
		if err != nil {
			return Plan{}, err
		}
		if summary.Plan() == nil {
			return Plan{}, fmt.Errorf("the database returned no plan for %s", statement.Statement())
		}
		return ReadPlan(summary.Plan())
	})
}

// add adds an operator of a plan and those that it reads from.
func (p *PlanCost) add(plan Plan) {
	operator, rows := plan.Operator, int64(plan.Rows)
	switch {
	case strings.Contains(operator, "Index") && (strings.Contains(operator, "Seek") || strings.Contains(operator, "Scan")):
		p.Sought = max(p.Sought, rows)
	case strings.HasSuffix(operator, "Scan"):
		p.Scanned = max(p.Scanned, rows)
	case strings.Contains(operator, "Expand"), strings.Contains(operator, "ShortestPath"):
		p.Expands, p.Expanded = true, max(p.Expanded, rows)
	case strings.Contains(operator, "Sort"), strings.Contains(operator, "Top"):
		p.Sorts = true
	}
	for _, child := range plan.Children {
		p.add(child)
	}
}
