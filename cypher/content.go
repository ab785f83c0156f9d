package cypher

// The slot content of the statements that find or read nodes and edges: a map of properties.

// AllContent is every property of the entity that a variable is bound to. properties(n) and n.key are not always what is stored: if an
// index has found the entity by an equal value, Neo4j (5.26, 2026.08) takes the property from the literal, which may be 1.0 for 1. No
// statement that reads content for a client uses them: n {.*} and n[$key] are what is stored.
func AllContent(variable Variable) Fragment {
	return allContent.fill(Slots{"variable": variable.fragment()})
}

// SomeContent is its property id and some others, null for one that it lacks. The database reads no others, of whatever size they are.
// It is for statements that find an entity by its element id or a text, and compare no other property: see AllContent.
func SomeContent(variable Variable, id Fragment, properties []string) Fragment {
	keys := []Fragment{contentKey.fill(Slots{"key": id})}
	for _, p := range properties {
		keys = append(keys, contentKey.fill(Slots{"key": Quote(p)}))
	}
	return someContent.fill(Slots{"variable": variable.fragment(), "keys": join(", ", keys)})
}

var (
	allContent  = newTemplate("{{variable}} {.*}")
	someContent = newTemplate("{{variable}} { {{keys}} }")
	contentKey  = newTemplate(".{{key}}")
)
