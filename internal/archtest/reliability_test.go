package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every test that docs/reliability.md names exists, so that the list cannot claim what is no longer tried.
func TestReliabilityNamesTestsThatExist(t *testing.T) {
	exist := map[string]bool{}
	for _, s := range tree(t) {
		if !s.test {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", s.path), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declared := range file.Decls {
			if function, is := declared.(*ast.FuncDecl); is {
				exist[function.Name.Name] = true
			}
		}
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+)`").FindAllStringSubmatch(shipped(t, "docs/reliability.md"), -1)
	require.Greater(t, len(named), 60)
	for _, name := range named {
		require.True(t, exist[name[1]], "there is no %s", name[1])
	}
}
