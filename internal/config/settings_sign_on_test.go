package config

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSingleSignOnSettings(t *testing.T) {
	given := minimal(
		"GRAPHREST_OIDC_ISSUER=https://id.example/realms/x", "GRAPHREST_OIDC_CLIENT_ID=graph", "GRAPHREST_OIDC_CLIENT_SECRET="+secretText,
		"GRAPHREST_OIDC_REDIRECT_URL=https://graph.example/api/auth/oidc/callback", "GRAPHREST_OIDC_SCOPES=openid  email",
		"GRAPHREST_OIDC_ROLE_MAP=a=read, b=boss", "GRAPHREST_OIDC_ADMIN_GROUP=c", "GRAPHREST_PASSWORD_LOGIN=false",
	)
	c := load(t, Sources{Environ: given})
	require.Equal(t, secretText, c.OIDC.ClientSecret.Reveal())
	c.OIDC.ClientSecret = Secret{}
	require.Equal(t, OIDC{
		Issuer: "https://id.example/realms/x", ClientID: "graph", RedirectURL: "https://graph.example/api/auth/oidc/callback",
		Scopes: []string{"openid", "email"}, GroupsClaim: "groups", RoleMap: map[string][]string{"a": {"read"}, "b": {"boss"}}, AdminGroup: "c",
	}, c.OIDC)
	require.False(t, c.PasswordLogin)
	require.True(t, load(t, Sources{Environ: minimal()}).PasswordLogin)

	for _, test := range []struct {
		name  string
		given []string
		want  []string // the settings that are named
	}{
		{"incomplete", []string{"GRAPHREST_OIDC_ISSUER=https://id.example"}, []string{"GRAPHREST_OIDC_CLIENT_ID", "GRAPHREST_OIDC_REDIRECT_URL"}},
		{"all mistakes at once", []string{
			"GRAPHREST_OIDC_ISSUER=http://id.example", "GRAPHREST_OIDC_CLIENT_ID=x", "GRAPHREST_OIDC_REDIRECT_URL=https://graph.example/",
			"GRAPHREST_OIDC_ROLE_MAP=staff", "GRAPHREST_OIDC_SCOPES=a \"b\"", "GRAPHREST_PASSWORD_LOGIN=maybe",
		}, []string{
			"GRAPHREST_OIDC_ISSUER", "GRAPHREST_OIDC_REDIRECT_URL", "GRAPHREST_OIDC_SCOPES", "GRAPHREST_OIDC_ROLE_MAP", "GRAPHREST_PASSWORD_LOGIN",
		}},
		{"without an issuer", []string{"GRAPHREST_OIDC_CLIENT_SECRET=" + passwordText}, []string{"GRAPHREST_OIDC_ISSUER"}},
		{"everybody locked out", []string{"GRAPHREST_PASSWORD_LOGIN=off"}, []string{"GRAPHREST_PASSWORD_LOGIN"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load(Sources{Environ: minimal(test.given...)})
			var problems Problems
			require.True(t, errors.As(err, &problems))
			var named []string
			for _, problem := range problems {
				named = append(named, problem.Setting)
			}
			require.Equal(t, test.want, named)
			require.NotContains(t, err.Error(), passwordText)
		})
	}
}
