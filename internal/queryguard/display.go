package queryguard

import (
	"regexp"
	"slices"
	"strings"

	"graphrest/internal/bolt"
)

// displayed is the plan of the query without the seal. Its estimates are left out if they could tell something of internal data: the
// planner estimates from counts of all nodes if a node has no label or several, and of all relationships if one has no type.
func displayed(plan bolt.Plan) Operator {
	return display(plan, !tellsOfEverything(plan))
}

func display(plan bolt.Plan, estimates bool) Operator {
	shown := Operator{Name: plan.Operator, Details: plan.Details}
	if estimates {
		shown.EstimatedRows = new(plan.Rows)
	}
	for _, child := range plan.Children {
		shown.Children = append(shown.Children, display(child, estimates))
	}
	return shown
}

// operatorsOf lists the names of a plan's operators, each once.
func operatorsOf(plan bolt.Plan) []string {
	names := []string{plan.Operator}
	for _, child := range plan.Children {
		names = append(names, operatorsOf(child)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var (
	labelTest        = regexp.MustCompile("[\\pL\\pN_`]:[\\pL_`$(]")
	untypedDisplayed = regexp.MustCompile(`--|[-<]\[[^\]:]*\]`)
)

func tellsOfEverything(plan bolt.Plan) bool {
	name := baseName(plan.Operator)
	switch {
	case scansEverything(name), countsFromStore(name), strings.HasPrefix(name, "Intersection"), strings.HasPrefix(name, "Subtraction"),
		strings.HasPrefix(name, "Dynamic"), strings.HasSuffix(name, "IdSeek"), strings.Contains(plan.Details, "getDegree"):
		return true
	case untypedDisplayed.MatchString(plan.Details):
		return true
	case name == "Filter" && labelTest.MatchString(plan.Details), name == "OptionalExpand" && strings.Contains(plan.Details, " WHERE "):
		return true
	}
	for _, child := range plan.Children {
		if tellsOfEverything(child) {
			return true
		}
	}
	return false
}
