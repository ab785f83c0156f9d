package queryguard

import (
	"regexp"
	"slices"
	"strings"

	"graphrest/internal/bolt"
)

// judge reads the plan of a sealed query. It does not trust the parser: each operator must be known, and each node that one introduces must
// be tested for a reserved label somewhere in the plan, each relationship without types for a reserved type. Only the seal writes reserved
// names, so that a test of one shows the seal.
type judge struct {
	seal    Seal
	reasons []Reason
	seen    string // the details of all operators
	repeats int    // how many Repeat operators are above the one that is judged
}

// judgeSealed returns why the plan of a sealed query is refused.
func judgeSealed(plan bolt.Plan, seal Seal) []Reason {
	j := &judge{seal: seal}
	var details strings.Builder
	collectDetails(plan, &details)
	j.seen = details.String()
	j.visit(plan, nil)
	return j.reasons
}

func collectDetails(plan bolt.Plan, into *strings.Builder) {
	into.WriteString(plan.Details)
	into.WriteByte('\n')
	for _, child := range plan.Children {
		collectDetails(child, into)
	}
}

// visit judges an operator and those that it reads from. above are those that read from it, the nearest last.
func (j *judge) visit(plan bolt.Plan, above []bolt.Plan) {
	name := baseName(plan.Operator)
	switch {
	case countsFromStore(name):
		j.refuse(Reason{Operator: name, Message: "counts internal data too; count what a pattern with a label or type finds"})
	case !KnowsOperator(name):
		j.refuse(Reason{Operator: name, Message: "is not known to only read; graphrest doctor names the tested releases"})
	}
	if unsealed := j.unsealed(name, plan, above); unsealed != "" {
		j.refuse(Reason{Operator: name, Message: "could reach internal data at " + unsealed + "; write the pattern in another way"})
	}
	if strings.Contains(name, "Repeat") {
		j.repeats++
		defer func() { j.repeats-- }()
	}
	above = append(slices.Clip(above), plan)
	for _, child := range plan.Children {
		j.visit(child, above)
	}
}

func (j *judge) refuse(r Reason) {
	if !slices.Contains(j.reasons, r) {
		j.reasons = append(j.reasons, r)
	}
}

var (
	nodeInDetails = regexp.MustCompile("\\((`(?:[^`]|``)+`|[\\pL_][\\pL\\pN\\pM_]*)\\)")
	untypedEdge   = regexp.MustCompile("--|[-<]\\[(`(?:[^`]|``)+`|[\\pL_][\\pL\\pN\\pM_]*)?(\\*[0-9.]*)?\\]")
	leafVariable  = regexp.MustCompile("^(?:[A-Z]+ (?:INDEX )?)?(`(?:[^`]|``)+`|[\\pL_][\\pL\\pN\\pM_]*)(?::|\\(| WHERE| IN|$)")
)

// unsealed returns what an operator introduces without a test of the seal, "" if there is nothing.
func (j *judge) unsealed(name string, plan bolt.Plan, above []bolt.Plan) string {
	details := plan.Details
	switch {
	case strings.Contains(details, "getDegree("), strings.Contains(details, "getDegree ("):
		return "the degree of a node"
	case strings.Contains(name, "Relationship") && !strings.HasPrefix(name, "Let"), name == "Expand", name == "OptionalExpand",
		name == "StatefulShortestPath":
		return j.unsealedPattern(details)
	case name == "VarLengthExpand", name == "ShortestPath":
		return j.unsealedPath(details, above)
	case name == "ProcedureCall":
		return j.unsealedCall(details)
	case strings.HasPrefix(name, "Node") && strings.Contains(name, "Join"):
		return ""
	case name == "MultiNodeIndexSeek":
		return j.unsealedLeaves(strings.Split(details, ", "))
	case strings.Contains(name, "Node") && len(plan.Children) == 0:
		return j.unsealedLeaves([]string{details})
	}
	return ""
}

// hasNode reports whether the plan tests a variable for a reserved label, or one that must be equal to it. Below Repeat, with
// a label or type that is computed, 2026.08.1 returned rows in which such an equality does not hold.
func (j *judge) hasNode(variable string) bool {
	if j.tests(variable, j.seal.labels) {
		return true
	}
	if j.repeats > 0 && strings.Contains(j.seen, ":$") || !ownVariable.MatchString(variable) {
		return false
	}
	equal := regexp.MustCompile(`(?m)(?:^|\(|AND )([\pL_][\pL\pN\pM_]*) = ` + variable + `(?:$|\)| AND)`)
	for _, found := range equal.FindAllStringSubmatch(j.seen, -1) {
		if j.tests(found[1], j.seal.labels) {
			return true
		}
	}
	return false
}

// ownVariable matches the names that the planner gives to what has none. A query must not use them.
var ownVariable = regexp.MustCompile(`(?i)^anon_\d+$`)

// tests reports whether the plan has a test that a variable has none of some reserved names.
func (j *judge) tests(variable string, names []string) bool {
	for _, name := range names {
		for _, written := range []string{name, quote(name)} {
			if j.excludes(variable, written) {
				return true
			}
		}
	}
	return false
}

func (j *judge) excludes(variable, name string) bool {
	test := regexp.MustCompile(`(^|[^\pL\pN_.` + "`" + `])` + regexp.QuoteMeta(variable) + `:(?:[^\s,()]*!)?` + regexp.QuoteMeta(name))
	for _, at := range test.FindAllStringIndex(j.seen, -1) {
		found := j.seen[at[0]:at[1]]
		before := j.seen[:at[0]+strings.Index(found, variable)]
		if strings.HasSuffix(found, "!"+name) || strings.HasSuffix(before, "NOT ") || strings.HasSuffix(before, "NOT (") {
			return true
		}
	}
	return false
}

func (j *judge) unsealedPattern(details string) string {
	pattern, _, _ := strings.Cut(details, " WHERE ")
	for _, found := range nodeInDetails.FindAllStringSubmatch(pattern, -1) {
		if !j.hasNode(found[1]) && !j.hasNode(strings.Trim(found[1], "`")) {
			return "the node " + found[1]
		}
	}
	for _, found := range untypedEdge.FindAllStringSubmatch(pattern, -1) {
		plain := strings.Trim(found[1], "`")
		if found[1] == "" || !j.tests(found[1], j.seal.types) && !j.tests(plain, j.seal.types) && !namesTypes(plain, details) {
			return "a relationship without a type"
		}
	}
	return ""
}

// namesTypes reports whether a shortest path lists the types of a relationship in a line of its predicates.
func namesTypes(variable, details string) bool {
	name := "(`(?:[^`]|``)+`|[\\pL_][\\pL\\pN\\pM_]*)"
	v := regexp.QuoteMeta(variable)
	line := regexp.MustCompile(`(?m)(^|: )\s*\(?` + v + ":" + name + `((\||:| OR ` + v + ":)" + name + `)*\)?\s*$`)
	return line.MatchString(details)
}

// unsealedPath judges a path of variable length by the conditions in it and above it.
func (j *judge) unsealedPath(details string, above []bolt.Plan) string {
	conditions := details
	for _, one := range above {
		if baseName(one.Operator) == "Filter" {
			conditions += "\n" + one.Details
		}
	}
	pattern, _, _ := strings.Cut(details, " WHERE ")
	if !strings.Contains(conditions, "IN nodes(") || !containsAny(conditions, j.seal.labels) {
		return "the nodes of a path"
	}
	if untypedEdge.MatchString(pattern) && (!strings.Contains(conditions, "IN relationships(") || !containsAny(conditions, j.seal.types)) {
		return "the relationships of a path"
	}
	for _, found := range nodeInDetails.FindAllStringSubmatch(pattern, -1) {
		if !j.hasNode(found[1]) && !j.hasNode(strings.Trim(found[1], "`")) {
			return "the node " + found[1]
		}
	}
	return ""
}

func containsAny(s string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(s, name) })
}

var callColumns = regexp.MustCompile("[(,] ?(`(?:[^`]|``)+`|[\\pL_][\\pL\\pN\\pM_]*) :: (NODE|RELATIONSHIP)")

// unsealedCall judges the entities that a procedure of the built-in list returns.
func (j *judge) unsealedCall(details string) string {
	name, _, _ := strings.Cut(details, "(")
	if _, isHit := hits[strings.ToLower(name)]; !isHit {
		return ""
	}
	found := callColumns.FindAllStringSubmatch(details, -1)
	if len(found) == 0 {
		return "the hits of an index"
	}
	for _, column := range found {
		if column[2] == "NODE" && !j.hasNode(column[1]) || column[2] == "RELATIONSHIP" && !j.tests(column[1], j.seal.types) {
			return "the hits of an index"
		}
	}
	return ""
}

// unsealedLeaves judges the details of leaves, such as "n", "n:Person" or "RANGE INDEX n:Person(name) WHERE name = $autostring_0".
func (j *judge) unsealedLeaves(leaves []string) string {
	for _, leaf := range leaves {
		found := leafVariable.FindStringSubmatch(leaf)
		if found == nil {
			return "a node"
		}
		if !j.hasNode(found[1]) && !j.hasNode(strings.Trim(found[1], "`")) {
			return "the node " + found[1]
		}
	}
	return ""
}
