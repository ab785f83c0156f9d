package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// routeFiles are the files of internal/httpapi that may build rows of the route table: how rows are built, and the rows.
var routeFiles = []string{"route.go", "routes.go"}

// Whoever looks for the row of a path must find it in one file, and every row must be read there by whoever reviews access.
func TestRowsOfTheRouteTableStandInOneFile(t *testing.T) {
	parsed := map[string]*ast.File{}
	for _, s := range tree(t) {
		if s.pkg != "internal/httpapi" || s.test {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", filepath.FromSlash(s.path)), nil, 0)
		require.NoError(t, err)
		parsed[s.name()] = file
	}
	builders := []string{}
	for _, file := range parsed {
		for _, d := range file.Decls {
			if function, isFunction := d.(*ast.FuncDecl); isFunction && buildsRows(function) {
				builders = append(builders, function.Name.Name)
			}
		}
	}
	require.Contains(t, builders, "newRoute")
	for name, file := range parsed {
		if slices.Contains(routeFiles, name) {
			continue
		}
		for _, d := range file.Decls {
			if function, isFunction := d.(*ast.FuncDecl); isFunction && buildsRows(function) {
				t.Errorf("%s: %s builds rows of the route table; move it to routes.go", name, function.Name.Name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, isCall := n.(*ast.CallExpr)
			if !isCall {
				return true
			}
			if called, isName := call.Fun.(*ast.Ident); isName && called.Name != "Routes" && slices.Contains(builders, called.Name) {
				t.Errorf("%s calls %s; a row of the route table belongs in routes.go", name, called.Name)
			}
			return true
		})
	}
}

// buildsRows reports whether a function, not a method, returns a Route or several.
func buildsRows(f *ast.FuncDecl) bool {
	if f.Recv != nil || f.Type.Results == nil {
		return false
	}
	return slices.ContainsFunc(f.Type.Results.List, func(result *ast.Field) bool {
		of := result.Type
		if list, isList := of.(*ast.ArrayType); isList {
			of = list.Elt
		}
		name, isName := of.(*ast.Ident)
		return isName && name.Name == "Route"
	})
}
