package auth

import (
	"context"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/rules"
)

// checkUserConditions rejects roles that have too many different conditions together for one user or service token. The caller has
// refreshed the cache.
func (s *Service) checkUserConditions(names []string) error {
	if rules.ExceedsUserConditions(s.cache.currentRoles().selectByName(names)) {
		return fault.Invalid("roles", "have more than %d different conditions together", rules.MaxUserConditions)
	}
	return nil
}

// checkHolders rejects new grants of a role that give a user or a service token too many different conditions, together with its other
// roles. Whoever has too many already prevents no change. DATABASE_UNAVAILABLE.
func (s *Service) checkHolders(ctx context.Context, role string, grants []rules.Grant) error {
	if err := s.refreshNow(ctx); err != nil {
		return err
	}
	all := s.cache.currentRoles()
	checked := map[string]bool{} // by the names of the roles: many users have the same
	check := func(who string, names []string) error {
		key := strings.Join(names, "\x00")
		if len(names) < 2 || checked[key] || !slices.Contains(names, role) {
			return nil
		}
		checked[key] = true
		before := all.selectByName(names)
		after := slices.Clone(before)
		for i := range after {
			if after[i].Name == role {
				after[i].Grants = grants
			}
		}
		if rules.ExceedsUserConditions(after) && !rules.ExceedsUserConditions(before) {
			return fault.Invalid("grants", "give %s more than %d different conditions, together with the other roles of this holder",
				who, rules.MaxUserConditions)
		}
		return nil
	}
	for _, u := range s.cache.allUsers() {
		if err := check("the user "+u.Username, u.Roles); err != nil {
			return err
		}
	}
	for _, token := range s.cache.serviceTokens() {
		if err := check("the service token "+token.Name, token.Roles); err != nil {
			return err
		}
	}
	return nil
}
