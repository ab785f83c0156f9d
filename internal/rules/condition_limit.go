package rules

import "graphrest/internal/fault"

const (
	// MaxRoleConditions is how many different conditions the grants of one role may have when it is saved. A list tests them on each entity.
	MaxRoleConditions = 200
	// MaxUserConditions is how many those of all roles of one user may have together when the user or one of the roles is saved.
	MaxUserConditions = 500
)

// CheckConditions rejects grants with too many different conditions.
func CheckConditions(field string, grants []Grant) *fault.Error {
	if hasMoreConditions(MaxRoleConditions, grants) {
		return fault.Invalid(field, "must have at most %d different conditions together", MaxRoleConditions)
	}
	return nil
}

// ExceedsUserConditions reports whether roles have too many different conditions for one user.
func ExceedsUserConditions(roles []Role) bool {
	all := make([][]Grant, len(roles))
	for i, r := range roles {
		all[i] = r.Grants
	}
	return hasMoreConditions(MaxUserConditions, all...)
}

// hasMoreConditions reports whether grants have more than a number of different conditions.
func hasMoreConditions(limit int, all ...[]Grant) bool {
	different := map[string]bool{}
	for _, grants := range all {
		for i := range grants {
			for _, c := range grants[i].Where {
				different[c.User+" "+keyOfCondition(c.Condition)] = true
				if len(different) > limit {
					return true
				}
			}
		}
	}
	return false
}
