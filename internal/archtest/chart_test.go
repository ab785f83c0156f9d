package archtest

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"graphrest/internal/config"
)

// The chart uses only existing settings, takes every secret from a Kubernetes secret and none from values.
func TestChartNamesSettingsThatExist(t *testing.T) {
	known, secret := map[string]bool{}, map[string]bool{}
	for _, s := range config.Settings() {
		known[s.Name] = true
		secret[s.Name] = s.Secret
	}
	deployment := shipped(t, "deployments/helm/graphrest/templates/deployment.yaml")
	named := regexp.MustCompile(`\b(?:GRAPHREST|NEO4J|OTEL)_[A-Z0-9_]*[A-Z0-9]\b`)
	for _, name := range named.FindAllString(strings.ReplaceAll(deployment, "(GRAPHREST_PORT and", "("), -1) {
		require.True(t, known[name], "%s is no setting", name)
	}
	var schema struct {
		Properties struct {
			Settings struct {
				PropertyNames struct {
					Not struct {
						Enum []string `json:"enum"`
					} `json:"not"`
				} `json:"propertyNames"`
			} `json:"settings"`
		} `json:"properties"`
	}
	require.NoError(t, json.Unmarshal([]byte(shipped(t, "deployments/helm/graphrest/values.schema.json")), &schema))
	for name := range secret {
		if !secret[name] {
			continue
		}
		require.Regexp(t, `range \$name := list .*"`+name+`"`, deployment, "a secret must come from the existing one")
		if strings.HasPrefix(name, "GRAPHREST_") {
			require.Contains(t, schema.Properties.Settings.PropertyNames.Not.Enum, name, "it would be readable in the values of a release")
		}
	}
}

func TestChartConfinesThePod(t *testing.T) {
	deployment := shipped(t, "deployments/helm/graphrest/templates/deployment.yaml")
	for _, line := range []string{
		"runAsNonRoot: true", "runAsUser: 65532", "readOnlyRootFilesystem: true", "allowPrivilegeEscalation: false",
		"capabilities: {drop: [ALL]}",
		"seccompProfile: {type: RuntimeDefault}", "automountServiceAccountToken: false", "enableServiceLinks: false",
		"path: /healthz", "path: /readyz", "maxUnavailable: 0",
	} {
		require.Contains(t, deployment, line)
	}
}

// A released binary reports its version like one from `make build`.
func TestReleaseStampsTheVersion(t *testing.T) {
	var release struct {
		Builds []struct {
			Main    string   `yaml:"main"`
			Env     []string `yaml:"env"`
			Flags   []string `yaml:"flags"`
			LDFlags []string `yaml:"ldflags"`
		} `yaml:"builds"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(shipped(t, ".goreleaser.yaml")), &release))
	require.Len(t, release.Builds, 1)
	build := release.Builds[0]
	require.Equal(t, "./cmd/graphrest", build.Main)
	require.Equal(t, []string{"CGO_ENABLED=0"}, build.Env)
	require.Equal(t, []string{"-trimpath"}, build.Flags)
	for _, name := range []string{"version", "commit"} {
		require.Contains(t, build.LDFlags[0], "-X main."+name+"=")
		require.Contains(t, shipped(t, "Makefile"), "-X main."+name+"=")
		require.Regexp(t, `(?m)^\t`+name+`\s+= "unknown"$`, shipped(t, "cmd/graphrest/version.go"))
	}
}
