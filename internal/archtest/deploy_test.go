package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"graphrest/internal/config"
)

func shipped(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", name))
	require.NoError(t, err)
	return string(content)
}

type service struct {
	Image       string            `yaml:"image"`
	EnvFile     any               `yaml:"env_file"`
	Environment map[string]string `yaml:"environment"`
	Ports       []string          `yaml:"ports"`
	Volumes     []string          `yaml:"volumes"`
	ReadOnly    bool              `yaml:"read_only"`
	CapDrop     []string          `yaml:"cap_drop"`
	SecurityOpt []string          `yaml:"security_opt"`
	User        string            `yaml:"user"`
	MemLimit    string            `yaml:"mem_limit"`
	PidsLimit   int               `yaml:"pids_limit"`
	HealthCheck struct {
		Test    []string `yaml:"test"`
		Timeout string   `yaml:"timeout"`
	} `yaml:"healthcheck"`
	DependsOn map[string]struct {
		Condition string `yaml:"condition"`
	} `yaml:"depends_on"`
}

func compose(t *testing.T) map[string]service {
	t.Helper()
	var file struct {
		Services map[string]service `yaml:"services"`
		Volumes  map[string]any     `yaml:"volumes"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(shipped(t, "docker-compose.yml")), &file))
	require.Len(t, file.Services, 2)
	require.Contains(t, file.Volumes, "neo4j-data")
	return file.Services
}

func TestComposeListensOnThisMachineOnly(t *testing.T) {
	for name, s := range compose(t) {
		require.NotEmpty(t, s.Ports, name)
		for _, port := range s.Ports {
			require.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s: %s", name, port)
		}
	}
}

var (
	secretName = regexp.MustCompile(`(PASSWORD|SECRET|AUTH)`)
	required   = regexp.MustCompile(`^(neo4j/)?\$\{[A-Z0-9_]+:\?[^}]+\}$`)
)

func TestComposeHasNoDefaultSecret(t *testing.T) {
	secrets := 0
	for name, s := range compose(t) {
		for variable, value := range s.Environment {
			if secretName.MatchString(variable) {
				secrets++
				require.Regexp(t, required, value, "%s: %s must come from .env and must not be empty", name, variable)
			}
		}
	}
	require.Equal(t, 4, secrets)
	for line := range strings.Lines(shipped(t, ".env.example")) {
		name, value, assigns := strings.Cut(strings.TrimSpace(line), "=")
		if assigns && !strings.HasPrefix(name, "#") && secretName.MatchString(name) {
			require.Empty(t, value, "%s: a sample would be used as it is", name)
		}
	}
}

// Neo4j's image turns every NEO4J_* variable into a setting, and does not start with an unknown setting.
func TestComposeSharesNoEnvironmentWithNeo4j(t *testing.T) {
	neo4j := compose(t)["neo4j"]
	for name, s := range compose(t) {
		require.Nil(t, s.EnvFile, name)
	}
	for _, variable := range []string{"NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_PASSWORD", "NEO4J_DATABASE"} {
		require.NotContains(t, neo4j.Environment, variable)
	}
	require.Contains(t, neo4j.Volumes, "neo4j-data:/data")
}

func TestComposeGatewayWaitsAndIsConfined(t *testing.T) {
	gateway, neo4j := compose(t)["gateway"], compose(t)["neo4j"]
	require.Equal(t, "service_healthy", gateway.DependsOn["neo4j"].Condition)
	require.NotEmpty(t, neo4j.HealthCheck.Test)
	require.NotContains(t, strings.Join(neo4j.HealthCheck.Test, " "), "curl", "the image has none")
	require.Equal(t, []string{"CMD", "/graphrest", "healthcheck", "--ready"}, gateway.HealthCheck.Test, "the image has no shell")
	require.True(t, gateway.ReadOnly)
	require.Equal(t, []string{"ALL"}, gateway.CapDrop)
}

// The gateway accepts the configuration that Compose passes, checked with real values for the placeholders.
func TestComposeGatewayConfigurationIsValid(t *testing.T) {
	placeholder := regexp.MustCompile(`\$\{([A-Z0-9_]+):([-?])([^}]*)\}`)
	var environ []string
	for name, value := range compose(t)["gateway"].Environment {
		filled := placeholder.ReplaceAllStringFunc(value, func(text string) string {
			parts := placeholder.FindStringSubmatch(text)
			if parts[2] == "-" {
				return parts[3]
			}
			return "qX7vN2rLw9TzB4kHs8PdY6mGcE3fJa5u" // random; stands for what the operator fills in
		})
		environ = append(environ, name+"="+filled)
	}
	_, err := config.Load(config.Sources{Environ: environ})
	require.NoError(t, err)
}

func TestImageIsPinnedAndUnprivileged(t *testing.T) {
	file := shipped(t, "deployments/Dockerfile")
	require.Regexp(t, `(?m)^FROM golang:1\.26\.\d+-\w+ AS build$`, file)
	require.Regexp(t, `(?m)^FROM gcr\.io/distroless/static-debian12:nonroot$`, file)
	require.Regexp(t, `(?m)^USER 65532:65532$`, file)
	require.Regexp(t, `(?m)^HEALTHCHECK .* CMD \["/graphrest", "healthcheck"\]$`, file)
	require.Contains(t, file, "CGO_ENABLED=0 go build -trimpath")
	ignored := strings.Split(shipped(t, ".dockerignore"), "\n")
	for _, name := range []string{".git", ".env", ".graphrest"} {
		require.Contains(t, ignored, name, "must not end up in a layer of the build")
	}
}
