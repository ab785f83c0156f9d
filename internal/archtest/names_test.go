package archtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Names that do not describe the content, so that unrelated code collects there.
var meaninglessNames = []string{
	"util", "utils", "common", "helper", "helpers", "manager", "managers", "model", "models", "types", "misc", "pkg", "base",
	"shared", "lib", "stuff",
}

func TestNamesSayWhatIsInside(t *testing.T) {
	for _, s := range tree(t) {
		for element := range strings.SplitSeq(s.pkg, "/") {
			require.NotContains(t, meaninglessNames, element, "directory of %s", s.path)
		}
		bare := strings.TrimSuffix(strings.TrimSuffix(s.name(), ".go"), "_test")
		require.NotContains(t, meaninglessNames, bare, s.path)
	}
}

func TestInternalIsOneLevelDeep(t *testing.T) {
	for _, s := range tree(t) {
		if strings.HasPrefix(s.pkg, "internal/") {
			require.Equal(t, 2, len(strings.Split(s.pkg, "/")), "%s: packages under internal have no packages of their own", s.path)
		}
		require.NotEqual(t, "internal", s.pkg, s.path)
	}
}

// What belongs together has the same file name in every layer, so that one name finds all of it: nodes.go, or nodes_list.go where
// one file would be too long.
func TestLayersShareFileNames(t *testing.T) {
	files := map[string][]string{}
	for _, s := range tree(t) {
		if !s.test {
			files[s.pkg] = append(files[s.pkg], strings.TrimSuffix(s.name(), ".go"))
		}
	}
	for subject, store := range map[string]string{"nodes": "internal/neo4jstore", "edges": "internal/neo4jstore", "schema": "internal/neo4jschema"} {
		for _, layer := range []string{store, "internal/httpapi", "internal/storetest"} {
			if !slices.ContainsFunc(files[layer], func(name string) bool { return name == subject || strings.HasPrefix(name, subject+"_") }) {
				t.Errorf("%s has no %s.go", layer, subject)
			}
		}
	}
}
