package audit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// The filters, the OpenAPI description and the types of the web interface follow from these lists.
func TestTheListsContainEveryConstant(t *testing.T) {
	testmark.Concurrent(t)
	file, err := parser.ParseFile(token.NewFileSet(), "audit.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	constants := map[string][]string{} // by their type
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, isValues := n.(*ast.ValueSpec); isValues {
			if of, isTyped := spec.Type.(*ast.Ident); isTyped {
				for _, value := range spec.Values {
					text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
					require.NoError(t, err)
					constants[of.Name] = append(constants[of.Name], text)
				}
			}
		}
		return true
	})
	require.Equal(t, constants["Action"], Actions())
	require.Equal(t, constants["Kind"], Kinds())
	require.Equal(t, constants["Outcome"], Outcomes())
}

func TestTheGuideNamesEveryActionAndKind(t *testing.T) {
	testmark.Concurrent(t)
	guide, err := os.ReadFile("../../docs/audit.md")
	require.NoError(t, err)
	kinds, actions := map[string]bool{}, map[string]bool{}
	word := regexp.MustCompile("`([a-z_]+)`")
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \|`).FindAllSubmatch(guide, -1) {
		for _, kind := range word.FindAllSubmatch(row[1], -1) {
			kinds[string(kind[1])] = true
		}
		for _, action := range word.FindAllSubmatch(row[2], -1) {
			actions[string(action[1])] = true
		}
	}
	for _, kind := range Kinds() {
		require.True(t, kinds[kind], "docs/audit.md has no row of the kind %s", kind)
	}
	for _, action := range Actions() {
		require.True(t, actions[action], "docs/audit.md has no row of the action %s", action)
	}
}
