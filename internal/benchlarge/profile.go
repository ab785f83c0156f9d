package benchlarge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Plan is the result of PROFILE for a statement.
type Plan struct {
	// Name is the name in the comment at the beginning of the gateway's statements.
	Name      string   `json:"name"`
	DBHits    int64    `json:"db_hits"`
	Operators []string `json:"operators"`
	Failure   string   `json:"failure,omitempty"`
}

// profileGateway sends a request of a user to the gateway once through the recorder, and runs each recorded statement again with PROFILE.
func (r *run) profileGateway(ctx context.Context, user, path string) ([]Plan, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*r.Limits.Timeout)
	defer cancel()
	if _, err := r.recorder.take(); err != nil {
		return nil, err
	}
	if _, _, err := r.recorded.readAs(ctx, user, path); err != nil {
		return nil, err
	}
	seen, err := r.recorder.take()
	if err != nil {
		return nil, err
	}
	var plans []Plan
	for _, s := range seen {
		name := nameOf(s.Text)
		if isBackgroundStatement(name) || (strings.HasPrefix(name, "schema_") && !strings.HasPrefix(path, schemaPath)) {
			continue
		}
		plan, err := r.profile(ctx, s.Text, s.Params)
		if err != nil {
			plan.Failure = err.Error()
		}
		plan.Name = name
		plans = append(plans, plan)
	}
	return plans, nil
}

func sumHits(plans []Plan) (hits int64) {
	for _, p := range plans {
		hits += p.DBHits
	}
	return hits
}

// nameOf returns the name in the comment at the beginning of each of the gateway's statements.
func nameOf(text string) string {
	name, _, found := strings.Cut(strings.TrimPrefix(text, "/* "), " */")
	if !found {
		return "unnamed"
	}
	return name
}

// isBackgroundStatement reports whether a statement concerns users, tokens or the connection. The gateway runs such statements in the
// background, like those that read the schema.
func isBackgroundStatement(name string) bool {
	return name == "ping" || name == "unnamed" || strings.HasPrefix(name, "auth_") || strings.HasPrefix(name, "audit_") ||
		strings.HasPrefix(name, "purge_")
}

// profile runs a statement with PROFILE and rolls back what it may have written.
func (r *run) profile(ctx context.Context, text string, params map[string]any) (plan Plan, err error) {
	session := r.db.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: "neo4j"})
	defer session.Close(context.WithoutCancel(ctx)) //nolint:errcheck // the result has been read
	transaction, err := session.BeginTransaction(ctx, neo4j.WithTxTimeout(r.Limits.Timeout))
	if err != nil {
		return plan, err
	}
	defer transaction.Close(context.WithoutCancel(ctx)) //nolint:errcheck // it is rolled back
	result, err := transaction.Run(ctx, "PROFILE "+text, params)
	if err != nil {
		return plan, err
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return plan, err
	}
	if summary.Profile() == nil {
		return plan, fmt.Errorf("no profile")
	}
	plan.add(summary.Profile())
	return plan, nil
}

func (p *Plan) add(operator neo4j.ProfiledPlan) {
	p.DBHits += operator.DbHits()
	name, _, _ := strings.Cut(operator.Operator(), "@")
	if !slices.Contains(p.Operators, name) {
		p.Operators = append(p.Operators, name)
	}
	for _, child := range operator.Children() {
		p.add(child)
	}
}

// sorts reports whether a plan sorts. PartialSort and PartialTop do not count: they sort only rows that are equal in an existing order.
func (p *Plan) sorts() bool {
	return slices.Contains(p.Operators, "Sort") || slices.Contains(p.Operators, "Top")
}

func (p *Plan) fromCountStore() bool {
	return slices.Contains(p.Operators, "NodeCountFromCountStore") || slices.Contains(p.Operators, "RelationshipCountFromCountStore")
}
