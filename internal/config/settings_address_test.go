package config

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddresses(t *testing.T) {
	const path, public = "GRAPHREST_BASE_PATH=", "GRAPHREST_PUBLIC_URL="
	for _, test := range []struct {
		given                []string
		base, public, origin string
	}{
		{nil, "", "", ""},
		{[]string{path + "/"}, "", "", ""},
		{[]string{path + "/graph"}, "/graph", "", ""},
		{[]string{path + "/teams/graph-1.2_~/"}, "/teams/graph-1.2_~", "", ""},
		{[]string{public + "https://Example.org"}, "", "https://example.org", "https://example.org"},
		{[]string{public + "https://example.org:8443/graph/"}, "/graph", "https://example.org:8443/graph", "https://example.org:8443"},
		{[]string{public + "http://[::1]:80/graph", path + "/graph"}, "/graph", "http://[::1]:80/graph", "http://[::1]:80"},
	} {
		c := load(t, Sources{Environ: minimal(test.given...)})
		require.Equal(t, test.base, c.HTTP.BasePath, test.given)
		require.Equal(t, test.public, c.HTTP.PublicURL, test.given)
		require.Equal(t, test.origin, c.HTTP.PublicOrigin(), test.given)
	}

	signOn := []string{"GRAPHREST_OIDC_ISSUER=https://id.example", "GRAPHREST_OIDC_CLIENT_ID=x"}
	for _, test := range []struct {
		given []string
		want  string // the setting that is named
	}{
		{[]string{path + "graph"}, basePathSetting},
		{[]string{path + "//"}, basePathSetting},
		{[]string{path + "/a//b"}, basePathSetting},
		{[]string{path + "/a/../b"}, basePathSetting},
		{[]string{path + "/a%2fb"}, basePathSetting},
		{[]string{path + "/a b"}, basePathSetting},
		{[]string{path + `/a"b`}, basePathSetting},
		{[]string{path + "https://example.org/graph"}, basePathSetting},
		{[]string{public + "example.org"}, publicURLSetting},
		{[]string{public + "ftp://example.org"}, publicURLSetting},
		{[]string{public + "https://example.org/?a"}, publicURLSetting},
		{[]string{public + "https://example.org/#"}, publicURLSetting},
		{[]string{public + "https://u:p@example.org/"}, publicURLSetting},
		{[]string{public + "https://example.org/graph", path + "/other"}, publicURLSetting},
		{append(signOn, "GRAPHREST_OIDC_REDIRECT_URL=https://example.org/api/auth/oidc/callback", path+"/graph"), redirectSetting},
		{append(signOn, "GRAPHREST_OIDC_REDIRECT_URL=https://example.org/graph/api/auth/oidc/callback"), redirectSetting},
	} {
		_, err := Load(Sources{Environ: minimal(test.given...)})
		var problems Problems
		require.True(t, errors.As(err, &problems), test.given)
		require.Len(t, problems, 1, test.given)
		require.Equal(t, test.want, problems[0].Setting, test.given)
	}
}
