package rules_test

import (
	"fmt"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// A role shows released films and lets its users change them, but not so that the film disappears for them.
func ExampleView_Check() {
	grants, _ := rules.ParseGrants("grants", `[
		{"kind":"node","type":"Film","actions":["read","edit"],"where":{"released":{"eq":true}}}]`)
	view := rules.NewView(rules.User{ID: "1"}, nil, []rules.Role{{Name: "editors", Grants: grants}})
	before := &rules.State{Names: []string{"Film"}, Properties: graph.Properties{"title": "Alien", "released": true}}
	for _, change := range []graph.Properties{{"title": "Aliens"}, {"released": false}} {
		after := &rules.State{Names: before.Names, Properties: graph.ApplyChange(before.Properties, change)}
		judgement := view.Check(rules.Transition{Kind: graph.NodeKind, Before: before, After: after, Written: change})
		fmt.Printf("%v: %v\n", change, judgement.Err)
	}
	// Output:
	// map[title:Aliens]: <nil>
	// map[released:false]: PERMISSION_DENIED: Permission denied: no grant allows this node as it would be after the change: no grant
}
