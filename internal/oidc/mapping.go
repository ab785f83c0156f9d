package oidc

import (
	"fmt"
	"slices"
	"strings"

	"graphrest/internal/auth"
)

// Mapping determines the rights of a user from the provider's groups. Its zero value gives none.
type Mapping struct {
	// RoleMap has the permissions and names of roles of each group. The names of groups are compared exactly.
	RoleMap    map[string][]string
	AdminGroup string // members administer; empty: nobody does
}

// Rights are what the groups of a user give.
type Rights struct {
	Permissions []auth.Permission // in the order of auth.AllPermissions; never nil
	Roles       []string          // sorted, each once
	Admin       bool
}

// ParseRoleMap reads pairs of a group and a permission or role, "editors=edit,staff=read". The last "=" of a pair separates them, because
// the names of groups may contain one (LDAP).
func ParseRoleMap(text string) (map[string][]string, error) {
	roleMap := map[string][]string{}
	for pair := range strings.SplitSeq(text, ",") {
		at := strings.LastIndexByte(pair, '=')
		if at < 0 {
			return nil, fmt.Errorf("%q is not group=role", strings.TrimSpace(pair))
		}
		group, name := strings.TrimSpace(pair[:at]), strings.TrimSpace(pair[at+1:])
		if group == "" || name == "" {
			return nil, fmt.Errorf("%q is not group=role", strings.TrimSpace(pair))
		}
		if !slices.Contains(roleMap[group], name) {
			roleMap[group] = append(roleMap[group], name)
		}
	}
	return roleMap, nil
}

// Roles returns the names of all roles that the mapping gives, sorted. The names of permissions are permissions, even if a role has one.
func (m Mapping) Roles() []string {
	var names []string
	for _, given := range m.RoleMap {
		for _, name := range given {
			if !isPermission(name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Rights returns the rights of a member of groups.
func (m Mapping) Rights(groups []string) Rights {
	var names []string
	rights := Rights{Permissions: []auth.Permission{}}
	for _, group := range groups {
		names = append(names, m.RoleMap[group]...)
		rights.Admin = rights.Admin || m.AdminGroup != "" && group == m.AdminGroup
	}
	for _, p := range auth.AllPermissions() {
		if slices.Contains(names, string(p)) {
			rights.Permissions = append(rights.Permissions, p)
		}
	}
	slices.Sort(names)
	rights.Roles = slices.DeleteFunc(slices.Compact(names), isPermission)
	return rights
}

func isPermission(name string) bool {
	return slices.Contains(auth.AllPermissions(), auth.Permission(name))
}
