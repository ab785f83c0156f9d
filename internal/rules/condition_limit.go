package rules

import (
	"slices"

	"graphrest/internal/fault"
)

// MaxRoleConditions is how many different conditions the grants of one role may have when it is saved. A list tests them on each entity.
const MaxRoleConditions = 200

// CheckConditions rejects grants with too many different conditions.
func CheckConditions(field string, grants []Grant) *fault.Error {
	type test struct{ property, operator, user string }
	different, count := map[test][]Condition{}, 0
	for i := range grants {
		for _, c := range grants[i].Where {
			key := test{c.Property, string(c.Operator), c.User}
			if slices.ContainsFunc(different[key], func(known Condition) bool { return equalCondition(known.Condition, c.Condition) }) {
				continue
			}
			different[key] = append(different[key], c)
			if count++; count > MaxRoleConditions {
				return fault.Invalid(field, "must have at most %d different conditions together", MaxRoleConditions)
			}
		}
	}
	return nil
}
