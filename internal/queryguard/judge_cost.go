package queryguard

import (
	"regexp"
	"slices"
	"strings"

	"graphrest/internal/bolt"
)

// costJudge reads a plan for what may be too expensive.
type costJudge struct {
	parsed  parsed
	notices []bolt.Notice
	reasons map[string][]Reason // by the name that allows it
}

// judgeCost returns why a query is refused unless its definition allows it. Both the plan of the text as its author wrote it and that of
// the sealed one must have the operator: on a graph of a few nodes the planner reads everything where it would not on a larger one, and it
// takes each test of a label for ten nodes.
func judgeCost(plain, sealed bolt.Plan, allow []string, q parsed, notices []bolt.Notice) []Reason {
	j := &costJudge{parsed: q, notices: notices, reasons: make(map[string][]Reason)}
	j.visit(plain, nil)
	runs := &costJudge{parsed: q, notices: notices, reasons: make(map[string][]Reason)}
	runs.visit(sealed, nil)
	var reasons []Reason
	for _, name := range Allowable() {
		if !slices.Contains(allow, name) && len(runs.reasons[name]) > 0 {
			reasons = append(reasons, j.reasons[name]...)
		}
	}
	return reasons
}

func (j *costJudge) visit(plan bolt.Plan, above []bolt.Plan) {
	name := baseName(plan.Operator)
	if readsEverything(name, plan.Details) {
		j.add(AllowAllNodesScan, j.scanReason(name, plan.Details))
	}
	if countsProduct(name, plan.Details) || name == "CartesianProduct" && isProduct(plan) && !joinedAbove(above) {
		j.add(AllowCartesianProduct, j.productReason("CartesianProduct"))
	}
	above = append(slices.Clip(above), plan)
	for _, child := range plan.Children {
		j.visit(child, above)
	}
}

var (
	countsAllNodes = regexp.MustCompile(`count\( ?\([^():]*\) ?\)`)
	countsAllEdges = regexp.MustCompile(`\(\)<?-(\[[^\]:]*\]-|-)>?\(\)`)
)

// readsEverything reports whether an operator reads all nodes or relationships, or their number, which the sealed query has to count.
func readsEverything(name, details string) bool {
	switch name {
	case "NodeCountFromCountStore":
		return countsAllNodes.MatchString(details)
	case "RelationshipCountFromCountStore":
		return countsAllEdges.MatchString(details)
	default:
		return scansEverything(name)
	}
}

func (j *costJudge) add(name string, r Reason) {
	if !slices.Contains(j.reasons[name], r) {
		j.reasons[name] = append(j.reasons[name], r)
	}
}

var labelCounted = regexp.MustCompile("^count\\( \\(:[^():|&!%$]+\\) \\) AS [^(),]+$|^count\\( \\(:[^():|&!%$]+\\) \\) AS `[^`]+`$")

// countsOneLabel reports whether a query answers only the number of the nodes with one label, which the database has in its count
// store. No reserved name stands in a query, and no node of the gateway's own has another label.
func countsOneLabel(plan bolt.Plan) bool {
	if baseName(plan.Operator) != "ProduceResults" || len(plan.Children) != 1 {
		return false
	}
	counted := plan.Children[0]
	return baseName(counted.Operator) == "NodeCountFromCountStore" && labelCounted.MatchString(counted.Details)
}

// countsProduct reports whether an operator multiplies numbers of nodes, whose product the sealed query has to build.
func countsProduct(name, details string) bool {
	return name == "NodeCountFromCountStore" && strings.Contains(details, "), (")
}

// isProduct reports whether both sides of a product read the graph.
func isProduct(plan bolt.Plan) bool {
	return !slices.ContainsFunc(plan.Children, func(side bolt.Plan) bool { return !readsGraph(side) })
}

func readsGraph(plan bolt.Plan) bool {
	name := baseName(plan.Operator)
	for _, part := range []string{"Scan", "Seek", "Search", "Lookup", "Expand", "ProcedureCall"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return slices.ContainsFunc(plan.Children, readsGraph)
}

func (j *costJudge) scanReason(name, details string) Reason {
	reason := Reason{Operator: name, Message: "reads every node or relationship; name a label or a type" + orAllow(AllowAllNodesScan)}
	if at, found := hasPlace(j.parsed.unlabelled, strings.Trim(details, "`")); found {
		reason.Line, reason.Column = at.line, at.column
	}
	return reason
}

func (j *costJudge) productReason(name string) Reason {
	message := "combines every row of one pattern with every row of another; connect them" + orAllow(AllowCartesianProduct)
	reason := Reason{Operator: name, Message: message}
	for _, n := range j.notices {
		if strings.HasSuffix(n.Code, "CartesianProduct") {
			reason.Line, reason.Column = max(n.Line-1, 0), n.Column
		}
	}
	return reason
}

// joinedAbove reports whether a product of two ends only serves to connect them: the next operator but filters seeks paths between them.
func joinedAbove(above []bolt.Plan) bool {
	for i := len(above) - 1; i >= 0; i-- {
		switch name := baseName(above[i].Operator); {
		case name == "Filter", name == "CacheProperties", name == "Projection":
		case name == "ShortestPath", name == "StatefulShortestPath", name == "AllShortestPaths":
			return true
		default:
			return strings.HasSuffix(above[i].Operator, "(Into)") && (name == "Expand" || name == "VarLengthExpand")
		}
	}
	return false
}
