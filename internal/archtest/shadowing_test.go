package archtest

import (
	"fmt"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// shadowsAllowed are how many locals of a package may have the name of something of the same package. Lower the number when there are fewer;
// no other package may have any.
var shadowsAllowed = map[string]int{"internal/neo4jstore": 116}

// A variable with the name of a function or type of its package hides it: a reader must know which of the two is meant, and a move of code
// may change it.
func TestLocalsDoNotShadowNamesOfTheirPackage(t *testing.T) {
	exports := exportsOf(t, "...")
	all := slices.DeleteFunc(tree(t), func(s source) bool { return s.test || s.generated })
	for _, pkg := range packages(all) {
		found := shadowsIn(t, checkTypes(t, pkg, exports), pkg)
		switch allowed, ok := shadowsAllowed[pkg]; {
		case len(found) > allowed:
			for _, shadow := range found {
				t.Log(shadow)
			}
			t.Errorf("%s has %d locals with a name of the package, %d are permitted: rename them", pkg, len(found), allowed)
		case ok && len(found) < allowed:
			t.Errorf("%s has only %d locals with a name of the package: lower the number", pkg, len(found))
		}
	}
	for pkg := range shadowsAllowed {
		require.Contains(t, packages(all), pkg)
	}
}

// shadowsIn lists the locals, parameters and results of a package that have the name of something that the package declares.
func shadowsIn(t *testing.T, c checkedPackage, pkg string) (found []string) {
	t.Helper()
	scope := c.pkg.Scope()
	for ident, object := range c.info.Defs {
		if object == nil || object.Parent() == nil || object.Parent() == scope {
			continue // the package clause, fields and methods, names of the package
		}
		if _, isLabel := object.(*types.Label); isLabel {
			continue
		}
		if shadowed := scope.Lookup(ident.Name); shadowed != nil {
			at, declared := c.fset.Position(ident.Pos()), c.fset.Position(shadowed.Pos())
			found = append(found, fmt.Sprintf("%s:%d: %s of %s:%d",
				path.Join(pkg, filepath.Base(at.Filename)), at.Line, ident.Name, filepath.Base(declared.Filename), declared.Line))
		}
	}
	slices.Sort(found)
	return found
}
