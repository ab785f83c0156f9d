package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The limits that CONTRIBUTING.md states. A tab counts as one character. Functions in test files, and functions that only build a table,
// may be longer.
const (
	maxFileLines     = 400
	maxFunctionLines = 60
	maxLineWidth     = 140
	maxMethods       = 20
	maxPackageLines  = 6000
)

// longFiles and longFunctions are the current exceptions. A new one needs its reason in the commit that adds it.
var (
	longFiles     = []string{"internal/auth/token_test.go", "internal/neo4jstore/audit_test.go"}
	longFunctions []string
)

// manyMethods are the types of the stores that have more than maxMethods.
var manyMethods = []string{
	"internal/bolt.Client",           // one pool of connections for whatever runs a statement
	"internal/maintenance.Store",     // the commands adopt and doctor, of which no request runs
	"internal/neo4jauth.Store",       // implements auth.Store
	"internal/neo4jschema.TypeStore", // declarations, and what keeps to them
}

// wideLines is how many lines of a package may be wider than maxLineWidth; tests may have none. A number may be lowered, not raised.
var wideLines = map[string]int{
	"internal/httpapi": 3, // tags of fields cannot be wrapped
}

// wideWebLines is the same for the directories of the web interface: none has one.
var wideWebLines = map[string]int{}

// overLimit is what exceeds a limit in one file.
type overLimit struct {
	lines     int      // of the file
	functions []string // "path.Name" of each long function
	wide      int      // lines wider than maxLineWidth
}

// measure compares one file with the limits.
func measure(path string, content []byte) (overLimit, error) {
	over := overLimit{lines: bytes.Count(content, []byte("\n"))}
	for line := range bytes.Lines(content) {
		if isWide(line) && !isAnnotation(line) {
			over.wide++
		}
	}
	if strings.HasSuffix(path, "_test.go") {
		return over, nil
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, content, parser.SkipObjectResolution)
	if err != nil {
		return overLimit{}, err
	}
	for _, declaration := range file.Decls {
		function, isFunction := declaration.(*ast.FuncDecl)
		if !isFunction || function.Body == nil || isTable(function) {
			continue
		}
		if files.Position(function.End()).Line-files.Position(function.Pos()).Line+1 > maxFunctionLines {
			over.functions = append(over.functions, path+" "+function.Name.Name)
		}
	}
	return over, nil
}

// isWide reports whether a line exceeds maxLineWidth.
func isWide(line []byte) bool {
	return utf8.RuneCount(bytes.TrimRight(line, "\n")) > maxLineWidth
}

// isAnnotation reports whether a line is an annotation of the OpenAPI generator, which cannot be wrapped.
func isAnnotation(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, "/ \t"), []byte("@"))
}

// isTable reports whether a function only returns a composite literal, after declarations.
func isTable(function *ast.FuncDecl) bool {
	statements := function.Body.List
	if len(statements) == 0 {
		return false
	}
	last, isReturn := statements[len(statements)-1].(*ast.ReturnStmt)
	if !isReturn || len(last.Results) != 1 {
		return false
	}
	if _, isLiteral := last.Results[0].(*ast.CompositeLit); !isLiteral {
		return false
	}
	return !slices.ContainsFunc(statements[:len(statements)-1], func(s ast.Stmt) bool {
		_, isDeclaration := s.(*ast.DeclStmt)
		assignment, isAssignment := s.(*ast.AssignStmt)
		return !isDeclaration && (!isAssignment || assignment.Tok != token.DEFINE)
	})
}

func TestCodeKeepsTheStatedLimits(t *testing.T) {
	wide := map[string]int{}
	var files, functions []string
	for _, s := range tree(t) {
		if s.generated {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(s.path)))
		require.NoError(t, err)
		over, err := measure(s.path, content)
		require.NoError(t, err)
		wide[s.pkg] += over.wide
		if s.test && over.wide > 0 {
			t.Errorf("%s has %d lines wider than %d characters: wrap them", s.path, over.wide, maxLineWidth)
		}
		functions = append(functions, over.functions...)
		if over.lines > maxFileLines {
			files = append(files, s.path)
		}
	}
	requireExceptions(t, fmt.Sprintf("files of more than %d lines; split them by subject", maxFileLines), files, longFiles)
	requireExceptions(t, fmt.Sprintf("functions of more than %d lines; split them", maxFunctionLines), functions, longFunctions)
	requireWideLines(t, wide, wideLines)
}

// TestPackagesAreSmall holds the lines of each package outside tests. httpapi is exempt: its routes are one table.
func TestPackagesAreSmall(t *testing.T) {
	lines := map[string]int{}
	for _, s := range tree(t) {
		if s.generated || s.test || s.pkg == "internal/httpapi" {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(s.path)))
		require.NoError(t, err)
		lines[s.pkg] += bytes.Count(content, []byte("\n"))
	}
	require.Greater(t, len(lines), 50)
	for pkg, count := range lines {
		require.LessOrEqual(t, count, maxPackageLines, "%s: split it where the door is narrow", pkg)
	}
}

// TestTypesOfTheStoresAreSmall holds the number of methods of each type in the packages that run statements.
func TestTypesOfTheStoresAreSmall(t *testing.T) {
	methods := map[string]int{}
	for _, s := range tree(t) {
		if s.generated || s.test || !runsStatements(s.pkg) {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(s.path)))
		require.NoError(t, err)
		for _, receiver := range receiversOf(t, s.path, content) {
			methods[s.pkg+"."+receiver]++
		}
	}
	require.NotEmpty(t, methods)
	var large []string
	for name, count := range methods {
		if count > maxMethods {
			large = append(large, name)
		}
	}
	requireExceptions(t, fmt.Sprintf("types of more than %d methods; split them by task", maxMethods), large, manyMethods)
}

// runsStatements reports whether a package is one of the stores, or what they are built on.
func runsStatements(pkg string) bool {
	others := []string{"internal/bolt", "internal/keyset", "internal/maintenance"}
	return strings.HasPrefix(pkg, "internal/neo4j") || slices.Contains(others, pkg)
}

// receiversOf returns the name of the receiver's type of each method in a file.
func receiversOf(t *testing.T, path string, content []byte) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, declaration := range file.Decls {
		if function, isFunction := declaration.(*ast.FuncDecl); isFunction && function.Recv != nil {
			names = append(names, typeNameOf(function.Recv.List[0].Type))
		}
	}
	return names
}

// typeNameOf is the name in the type of a receiver, without its pointer and its type parameters.
func typeNameOf(receiver ast.Expr) string {
	switch x := receiver.(type) {
	case *ast.StarExpr:
		return typeNameOf(x.X)
	case *ast.IndexExpr:
		return typeNameOf(x.X)
	case *ast.IndexListExpr:
		return typeNameOf(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func TestReceiversAreCountedByType(t *testing.T) {
	source := "package x\nfunc (a A) f() {}\nfunc (a *A) g() {}\nfunc (b *B[T]) f() {}\nfunc (C[K, V]) f() {}\nfunc f() {}\n"
	require.Equal(t, []string{"A", "A", "B", "C"}, receiversOf(t, "x/x.go", []byte(source)))
}

func TestTheWebInterfaceKeepsTheLineWidth(t *testing.T) {
	wide := map[string]int{}
	for file, content := range filesOf(t, ".ts", ".tsx", ".css", ".mjs") {
		if !strings.HasPrefix(file, "internal/webui/app/") || strings.HasSuffix(file, "/openapi.ts") {
			continue
		}
		for line := range bytes.Lines([]byte(content)) {
			if isWide(line) {
				wide[filepath.ToSlash(filepath.Dir(file))]++
			}
		}
	}
	requireWideLines(t, wide, wideWebLines)
}

// requireWideLines fails for each directory that has more wide lines than it may have.
func requireWideLines(t *testing.T, wide, permitted map[string]int) {
	t.Helper()
	for directory, count := range wide {
		if count > permitted[directory] {
			t.Errorf("%s has %d lines wider than %d characters, %d are permitted: wrap the new ones",
				directory, count, maxLineWidth, permitted[directory])
		}
	}
}

// requireExceptions fails for each item beyond a limit that is no exception, and for each exception that is within it.
func requireExceptions(t *testing.T, limit string, found, exceptions []string) {
	t.Helper()
	for _, item := range found {
		if !slices.Contains(exceptions, item) {
			t.Errorf("%s: %s", limit, item)
		}
	}
	for _, item := range exceptions {
		if !slices.Contains(found, item) {
			t.Errorf("%s keeps the limit now: remove the exception", item)
		}
	}
}

func TestTheLimitsReportViolations(t *testing.T) {
	long := "package x\n\nfunc f() {\n" + strings.Repeat("\tg()\n", maxFunctionLines) + "}\n"
	table := "package x\n\nfunc f() []int {\n\treturn []int{\n" + strings.Repeat("\t\t1,\n", maxFunctionLines) + "\t}\n}\n"
	for _, test := range []struct {
		name, path, source string
		want               overLimit
	}{
		{"a long function", "x/x.go", long, overLimit{lines: 64, functions: []string{"x/x.go f"}}},
		{"a long function of a test", "x/x_test.go", long, overLimit{lines: 64}},
		{"a long table", "x/x.go", table, overLimit{lines: 66}},
		{"a wide line", "x/x.go", "package x\n// " + strings.Repeat("é", maxLineWidth-2) + "\n", overLimit{lines: 2, wide: 1}},
		{"a line of the maximal width", "x/x.go", "package x\n// " + strings.Repeat("é", maxLineWidth-3) + "\n", overLimit{lines: 2}},
		{"a wide annotation", "x/x.go", "package x\n//\t@Param " + strings.Repeat("x", maxLineWidth) + "\n", overLimit{lines: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			over, err := measure(test.path, []byte(test.source))
			require.NoError(t, err)
			require.Equal(t, test.want, over)
		})
	}
}
