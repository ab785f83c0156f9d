package cypher

import "slices"

// SortKey is a property that a list is sorted by.
type SortKey struct {
	// Of is the entity whose property it is; its zero value is the variable's.
	Of         Entity
	Property   string
	Descending bool
	// Shown, unless empty, is the condition that the user sees the property. Where it does not hold, there is no value to sort by.
	Shown Fragment
	// Unindexed keeps an index on the property from finding where a page begins: those of the filter find fewer entities.
	Unindexed bool
}

// value is the expression for what a key sorts by.
func (k SortKey) value(property Fragment) Fragment {
	return shownValue(k.Shown, property)
}

// named is value with the name of the property in the text.
func (k SortKey) named(variable Variable) Fragment {
	return k.value(keyTemplate.fill(Slots{"variable": k.Of.or(variable.fragment()), "key": Quote(k.Property)}))
}

// Start is where a sorted page begins, as far as one comparison with the first sort key can express it: a condition that every entity of
// the page meets, and that is cheap or served by an index.
type Start uint8

// Starts of a page.
const (
	FromFirst     Start = iota // no condition
	FromFirstSet               // the entities with the property, which a range index returns in order
	FromValue                  // the entities whose value is $from or sorts after it; < and > compare values of one type only
	FromUnset                  // the entities without the property
	FromNotBefore              // all except those whose value sorts before $from: < and > do not tell of values of other types
)

// Top fills the slots tops, top, first, values and start of a statement that sorts by the properties' own values with ORDER BY and LIMIT
// alone: it needs one property read and no expression per entity, and Neo4j keeps the rows in a heap of the page's size. First is the order
// by the first property alone. Ties is the property that orders equal entities, or empty if they are in the database's own order.
//
// ORDER BY and the columns of Order disagree about some values, such as points or strings beyond the Basic Multilingual Plane. If the
// result contains such a value, the caller uses a statement that sorts by Order.
func Top(variable Variable, keys []SortKey, start Start, ties Fragment) Slots {
	var tops, top, values []Fragment
	var first Fragment
	keys, shownOnly := shownFirst(keys, start)
	for i, key := range keys {
		t := numberedName("t", i)
		tops = append(tops, aliased.fill(Slots{"expression": key.named(variable), "column": t}))
		values = append(values, valueOfTop.fill(Slots{
			"value": t, "max_length": number(SortedText), "datetime": derivedDateTime.fill(Slots{"p": t}),
		}))
		order := topUp
		if key.Descending {
			order = topDown
			// Unless there are both nulls and values, an index serves the order.
			if i == 0 && start != FromFirst && start != FromNotBefore {
				order = topDownSet
			}
		}
		top = append(top, order.fill(Slots{"column": t}))
		if i == 0 {
			first = order.fill(Slots{"column": key.named(variable)})
		}
	}
	if ties != (Fragment{}) {
		property := keyTemplate.fill(Slots{"variable": variable.fragment(), "key": ties})
		tops = append(tops, aliased.fill(Slots{"expression": property, "column": literal("tie")}))
		top = append(top, literal("tie"))
	}
	condition := starts[start]
	if down, differs := startsDown[start]; differs && keys[0].Descending {
		condition = down
	}
	property := keys[0].named(variable)
	if keys[0].Unindexed {
		property = valueOf.fill(Slots{"property": property})
	}
	begin := condition.fill(Slots{"property": property})
	if shownOnly != (Fragment{}) {
		begin = And([]Fragment{begin, shownOnly})
	}
	return Slots{
		"tops": join(", ", tops), "top": join(", ", top), "first": first, "values": join(", ", values), "start": begin,
	}
}

// shownFirst makes the condition that the first property is shown one of the whole page, if the page has only entities with a value of it:
// an index then serves the order of the property itself.
func shownFirst(keys []SortKey, start Start) (of []SortKey, condition Fragment) {
	if keys[0].Of != (Entity{}) || keys[0].Shown == False || (start != FromFirstSet && start != FromValue) {
		return keys, Fragment{}
	}
	of = slices.Clone(keys)
	of[0].Shown = Fragment{}
	return of, keys[0].Shown
}

var (
	// A list, and a string that Order truncates, is returned as an empty list: the caller then uses another statement, and the value may be
	// large. A date-time with a zone is returned as the list that Order derives: what offset a zone had, the database knows.
	valueOfTop = newTemplate("CASE WHEN {{value}} IS :: STRING NOT NULL THEN CASE WHEN size({{value}}) < {{max_length}}" +
		" THEN {{value}} ELSE [] END WHEN {{value}} IS :: LIST<ANY> NOT NULL THEN []" +
		" WHEN {{value}} IS :: ZONED DATETIME NOT NULL THEN {{datetime}} ELSE {{value}} END")

	topUp      = newTemplate("{{column}}")
	topDown    = newTemplate("{{column}} IS NULL, {{column}} DESC")
	topDownSet = newTemplate("{{column}} DESC")

	starts = map[Start]template{
		FromFirst: newTemplate("true"), FromFirstSet: newTemplate("{{property}} IS NOT NULL"),
		FromValue: newTemplate("{{property}} >= $from"), FromUnset: newTemplate("{{property}} IS NULL"),
		FromNotBefore: newTemplate("NOT coalesce({{property}} < $from, false)"),
	}
	startsDown = map[Start]template{
		FromValue: newTemplate("{{property}} <= $from"), FromNotBefore: newTemplate("NOT coalesce({{property}} > $from, false)"),
	}
)
