package archtest

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkedPackage is a type-checked package without its tests.
type checkedPackage struct {
	fset *token.FileSet
	pkg  *types.Package
	info *types.Info
}

// checkTypes type-checks the files of a package that this platform builds, without its tests.
func checkTypes(t *testing.T, pkg string, exports importer.Lookup) checkedPackage {
	t.Helper()
	dir := filepath.Join("..", "..", filepath.FromSlash(pkg))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	fset := token.NewFileSet()
	var files []*ast.File
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		isBuilt, err := build.Default.MatchFile(dir, name)
		require.NoError(t, err)
		if !isBuilt {
			continue
		}
		file, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", exports)}
	checked, err := config.Check(module+"/"+pkg, fset, files, info)
	require.NoError(t, err)
	return checkedPackage{fset, checked, info}
}

// exportsOf finds the export data of what packages import, which go list has compiled if needed. The pattern is one of the go command, from
// the root.
func exportsOf(t *testing.T, pattern string) importer.Lookup {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Export", "./"+pattern)
	list.Dir, list.Stderr = filepath.Join("..", ".."), os.Stderr
	out, err := list.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, list.Start())
	exports := map[string]string{}
	for decoder := json.NewDecoder(out); ; {
		var found struct{ ImportPath, Export string }
		err := decoder.Decode(&found)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		exports[found.ImportPath] = found.Export
	}
	require.NoError(t, list.Wait())
	return func(imported string) (io.ReadCloser, error) { return os.Open(exports[imported]) }
}
