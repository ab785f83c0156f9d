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

// A variable with the name of a function or type of its package hides it: a reader must know which of the two is meant, and a move of code
// may change it.
func TestLocalsDoNotShadowNamesOfTheirPackage(t *testing.T) {
	exports := exportsOf(t, "...")
	all := slices.DeleteFunc(tree(t), func(s source) bool { return s.test || s.generated })
	for _, pkg := range packages(all) {
		require.Empty(t, shadowsIn(t, checkTypes(t, pkg, exports), pkg), "rename these locals of %s", pkg)
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
