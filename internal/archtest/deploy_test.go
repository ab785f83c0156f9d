package archtest

import (
	"os"
	"os/exec"
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
	Entrypoint  []string          `yaml:"entrypoint"`
	Command     []string          `yaml:"command"`
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
	require.Len(t, file.Services, 3)
	require.Contains(t, file.Volumes, "neo4j-data")
	require.Contains(t, file.Volumes, "secrets")
	return file.Services
}

func TestComposeListensOnThisMachineOnly(t *testing.T) {
	for name, s := range compose(t) {
		require.Equal(t, name == "secrets", len(s.Ports) == 0, name)
		for _, port := range s.Ports {
			require.True(t, strings.HasPrefix(port, "127.0.0.1:"), "%s: %s", name, port)
		}
	}
}

// Secrets are read from files of the volume: neither the compose file nor .env has a place for one.
func TestComposeHasNoSecret(t *testing.T) {
	secretName := regexp.MustCompile(`(PASSWORD|SECRET|AUTH)`)
	files := map[string]bool{}
	for name, s := range compose(t) {
		for variable, value := range s.Environment {
			if secretName.MatchString(variable) {
				require.True(t, strings.HasSuffix(variable, "_FILE"), "%s: %s", name, variable)
				require.Contains(t, s.Volumes, "secrets:/secrets:ro", name)
				files[value] = true
			}
		}
	}
	require.Len(t, files, 4)
	require.NotRegexp(t, secretName, shipped(t, ".env.example"))
}

// composeSecrets runs the command of the service secrets on a directory instead of its volume.
func composeSecrets(t *testing.T, dir string) string {
	t.Helper()
	secrets := compose(t)["secrets"]
	script := strings.ReplaceAll(secrets.Command[0], "$$", "$") // what Compose does
	cmd := exec.Command(secrets.Entrypoint[0], append(secrets.Entrypoint[1:], script)...)
	cmd.Env = append(os.Environ(), "SECRETS_DIR="+dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestComposeMakesSecretsOnce(t *testing.T) {
	dir := t.TempDir()
	contents := func() map[string]string {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		all := map[string]string{}
		for _, entry := range entries {
			raw, err := os.ReadFile(filepath.Join(dir, entry.Name()))
			require.NoError(t, err)
			all[entry.Name()] = string(raw)
		}
		return all
	}
	printed := composeSecrets(t, dir)
	made := contents()
	require.Len(t, made, 4)
	require.Contains(t, printed, made["admin-password"])
	require.NotContains(t, printed, made["neo4j-password"])
	require.NotContains(t, printed, made["jwt-secret"])
	require.Regexp(t, `^[0-9a-f]{48}$`, made["admin-password"])
	require.Equal(t, "neo4j/"+made["neo4j-password"], made["neo4j-auth"])

	require.Empty(t, composeSecrets(t, dir), "the second start prints nothing")
	require.Equal(t, made, contents())

	require.NoError(t, os.WriteFile(filepath.Join(dir, "jwt-secret.new"), []byte("half"), 0o600)) // an interrupted start
	require.NoError(t, os.Remove(filepath.Join(dir, "jwt-secret")))
	composeSecrets(t, dir)
	require.Regexp(t, `^[0-9a-f]{96}$`, contents()["jwt-secret"])
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

// The gateway accepts the configuration that Compose passes, with the secrets that it makes.
func TestComposeGatewayConfigurationIsValid(t *testing.T) {
	dir := t.TempDir()
	composeSecrets(t, dir)
	placeholder := regexp.MustCompile(`\$\{[A-Z0-9_]+:-([^}]*)\}`)
	var environ []string
	for name, value := range compose(t)["gateway"].Environment {
		value = strings.Replace(placeholder.ReplaceAllString(value, "$1"), "/secrets/", dir+"/", 1)
		environ = append(environ, name+"="+value)
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
