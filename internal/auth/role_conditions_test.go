package auth_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/rules"
)

// manyConditions are grants with 200 different conditions, whose values begin at a number.
func manyConditions(t *testing.T, from int) []rules.Grant {
	t.Helper()
	var grants []string
	for g := range 20 {
		var where []string
		for c := range 10 {
			where = append(where, fmt.Sprintf(`"p%d":{"eq":%d}`, c, from+10*g+c))
		}
		grants = append(grants, `{"kind":"node","type":"T","actions":["read"],"where":{`+strings.Join(where, ",")+`}}`)
	}
	parsed, f := rules.ParseGrants("grants", "["+strings.Join(grants, ",")+"]")
	require.Nil(t, f)
	return parsed
}

// The roles of one user or service token have a limit of conditions together, whichever of the two is changed.
func TestConditionsOfAUserHaveALimit(t *testing.T) {
	r := startWithAdmin(t, neo4jtest.OpenPrepared(t))
	ctx := t.Context()
	for name, from := range map[string]int{"one": 0, "same": 0, "two": 1000, "three": 2000} {
		_, err := r.CreateRole(ctx, rules.Role{Name: name, Grants: manyConditions(t, from)})
		require.NoError(t, err)
	}
	refused := func(err error, field string) {
		t.Helper()
		require.Equal(t, fault.Validation, fault.CodeOf(err), err)
		require.Equal(t, field, fault.As(err).Details[0].Field)
		require.Contains(t, fault.As(err).Details[0].Message, "more than 500 different conditions")
	}
	roles, token := []string{"one", "same", "two"}, auth.NewServiceToken{Name: "t", ExpiresAt: time.Now().Add(time.Hour)}
	_, err := r.CreateUser(ctx, auth.NewUser{Username: "ann", Password: otherPW, Roles: append(roles, "three")})
	refused(err, "roles")
	_, err = r.CreateUser(ctx, auth.NewUser{Username: "ann", Password: otherPW, Roles: roles})
	require.NoError(t, err, "equal conditions count once")
	more := append(roles, "three")
	_, err = r.UpdateUser(ctx, "ann", auth.UserChange{Roles: &more})
	refused(err, "roles")
	token.Roles = more
	_, err = r.CreateServiceToken(ctx, nil, token)
	refused(err, "roles")

	others := manyConditions(t, 3000)
	_, err = r.UpdateRole(ctx, "same", auth.RoleChange{Grants: &others})
	refused(err, "grants")
	require.Contains(t, fault.As(err).Details[0].Message, "the user ann")
	fewer := others[:10]
	_, err = r.UpdateRole(ctx, "same", auth.RoleChange{Grants: &fewer})
	require.NoError(t, err)
	token.Roles = []string{"one", "two"}
	_, err = r.CreateServiceToken(ctx, nil, token)
	require.NoError(t, err)
}
