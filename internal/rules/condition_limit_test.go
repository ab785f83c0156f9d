package rules_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/rules"
)

func TestGrantsHaveALimitOfDifferentConditions(t *testing.T) {
	grants := func(count, perGrant int, value func(i int) string) (list []rules.Grant) {
		for i := 0; i < count; i += perGrant {
			text := ""
			for n := i; n < i+perGrant; n++ {
				if n > i {
					text += ","
				}
				text += fmt.Sprintf(`"p%d":{"eq":%s}`, n, value(n))
			}
			parsed, f := rules.ParseGrants("grants", `[{"kind":"node","type":"T","actions":["read"],"where":{`+text+`}}]`)
			require.Nil(t, f)
			list = append(list, parsed...)
		}
		return list
	}
	own := func(i int) string { return fmt.Sprint(i) }
	require.Nil(t, rules.CheckConditions("grants", grants(rules.MaxRoleConditions, 10, own)))
	refused := rules.CheckConditions("grants", grants(rules.MaxRoleConditions+1, 1, own))
	require.NotNil(t, refused)
	require.Equal(t, []fault.Detail{{Field: "grants", Message: "must have at most 200 different conditions together"}}, refused.Details)

	repeated := grants(rules.MaxRoleConditions, 10, own)
	require.Nil(t, rules.CheckConditions("grants", append(repeated, repeated...)), "equal conditions count once")
	same := grants(2, 1, func(int) string { return `{"$user":"username"}` })
	require.Nil(t, rules.CheckConditions("grants", append(grants(rules.MaxRoleConditions-2, 1, own), same...)))
	require.NotNil(t, rules.CheckConditions("grants", append(grants(rules.MaxRoleConditions-1, 1, own), same...)))
}
