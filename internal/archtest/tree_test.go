// Package archtest checks the layout: which package may import which, and how packages and files are named. It reads the source
// itself, so files of every platform and build tag count.
package archtest

import (
	"bytes"
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
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	var all []source
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if file != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		read, err := read(root, file)
		if err == nil {
			all = append(all, read)
		}
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, all)
	return all
}

func read(root, file string) (source, error) {
	relative, err := filepath.Rel(root, file)
	if err != nil {
		return source{}, err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return source{}, err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, content, parser.ImportsOnly)
	if err != nil {
		return source{}, err
	}
	slashed := filepath.ToSlash(relative)
	s := source{
		path: slashed, pkg: path.Dir(slashed), test: strings.HasSuffix(slashed, "_test.go"),
		generated: bytes.HasPrefix(content, []byte("// Code generated ")), lines: bytes.Count(content, []byte("\n")),
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
