// Package archtest checks the layout: which package may import which, and how packages and files are named. It reads the source
// itself, so files of every platform and build tag count.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the module path; packages are named relative to it.
const module = "graphrest"

// source is one Go file.
type source struct {
	path      string // from the root, with slashes
	pkg       string // directory from the root
	test      bool
	generated bool
	lines     int
	imports   []string
}

func (s source) name() string { return path.Base(s.path) }

// tree reads every Go file of the repository.
func tree(t *testing.T) []source {
	t.Helper()
	var all []source
	for file, content := range filesOf(t, ".go") {
		parsed, err := parse(file, content)
		require.NoError(t, err)
		all = append(all, parsed)
	}
	require.NotEmpty(t, all)
	slices.SortFunc(all, func(a, b source) int { return strings.Compare(a.path, b.path) })
	return all
}

// filesOf reads the files of the repository with some extensions, by their path from the root.
func filesOf(t *testing.T, extensions ...string) map[string]string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	files := map[string]string{}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root &&
			(strings.HasPrefix(name, ".") && name != ".ci" || slices.Contains([]string{"node_modules", "dist", "bin"}, name)):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains(extensions, filepath.Ext(name)):
			return nil
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		files[filepath.ToSlash(relative)] = string(content)
		return err
	})
	require.NoError(t, err)
	return files
}

func parse(file, content string) (source, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, content, parser.ImportsOnly)
	if err != nil {
		return source{}, err
	}
	s := source{
		path: file, pkg: path.Dir(file), test: strings.HasSuffix(file, "_test.go"),
		generated: strings.HasPrefix(content, "// Code generated "), lines: strings.Count(content, "\n"),
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, imported)
	}
	return s, nil
}

// packages lists the directories that contain Go files, in order.
func packages(all []source) []string {
	var names []string
	for _, s := range all {
		names = append(names, s.pkg)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// own gives the package of this module that an import path names.
func own(imported string) (string, bool) { return strings.CutPrefix(imported, module+"/") }

// standard reports whether an import path is the standard library's: its first element has no dot (go help importpath).
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") && first != module
}
