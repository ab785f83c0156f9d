package rules

import "graphrest/internal/fault"

// MaxRoleConditions is how many different conditions the grants of one role may have when it is saved. A list tests them on each entity.
const MaxRoleConditions = 200

// CheckConditions rejects grants with too many different conditions.
func CheckConditions(field string, grants []Grant) *fault.Error {
	different := map[string]bool{}
	for i := range grants {
		for _, c := range grants[i].Where {
			different[c.User+" "+keyOfCondition(c.Condition)] = true
			if len(different) > MaxRoleConditions {
				return fault.Invalid(field, "must have at most %d different conditions together", MaxRoleConditions)
			}
		}
	}
	return nil
}
