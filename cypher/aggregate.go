package cypher

// The statements that aggregate the entities of a list.
var (
	AggregateNodes       = load("graph/aggregate_nodes")
	AggregateEdges       = load("graph/aggregate_edges")
	AggregateEdgesAround = load("graph/aggregate_edges_around")
)

// Aggregated is a property that an aggregation reads.
type Aggregated struct {
	// Key is the quoted property key, or empty for the parameter $aggregate.k<n>: n is 0 for the property that groups, and the position of a
	// measure from 1.
	Key   Fragment
	Shown Fragment // as in Condition
}

// Binning is how values of the property that groups are put together. The width or the unit of time is the parameter $aggregate.bin, the
// unit for dates $aggregate.days.
type Binning uint8

// Binnings.
const (
	ByValue      Binning = iota // equal values; of texts the first SortedText characters
	ByWholeWidth                // by the index of the interval, for a width that is an integer
	ByWidth                     // the same for a float
	ByUnit                      // by the beginning of the unit of time
)

// Aggregation fills the slots inputs, row, measures and order of a statement that aggregates. Group is nil for one group of all entities.
//
// The measures of a row are lists: how many values, integers and floats there are; the sums of the upper and of the lower 32 bits of the
// integers, because sum() fails beyond 64 bits; the sum of the floats; the minima and maxima of integers, floats, and dates and date-times.
func Aggregation(variable Variable, group *Aggregated, binning Binning, measures []Aggregated) Slots {
	grouped, order := literal("null"), byCount
	if group != nil {
		grouped = group.property(variable, 0)
	}
	if binning != ByValue {
		order = byValue
	}
	inputs := []Fragment{aliased.fill(Slots{"expression": grouped, "column": literal("grouped")})}
	row := []Fragment{aliased.fill(Slots{"expression": binnings[binning], "column": literal("value")})}
	lists := make([]Fragment, len(measures))
	for i, m := range measures {
		columns := Slots{"m": numberedName("m", i), "i": numberedName("i", i), "f": numberedName("f", i), "t": numberedName("t", i)}
		inputs = append(inputs, aliased.fill(Slots{"expression": m.property(variable, i+1), "column": columns["m"]}))
		row = append(row, measureRow.fill(columns))
		lists[i] = measureList.fill(columns)
	}
	all := literal("[count(*)][1..]") // none; a literal would be one more key of the groups
	if len(lists) > 0 {
		all = listOf.fill(Slots{"members": join(", ", lists)})
	}
	return Slots{"inputs": join(", ", inputs), "row": join(", ", row), "measures": all, "order": order}
}

// property is the expression for the property, null where the user does not see it.
func (a Aggregated) property(variable Variable, position int) Fragment {
	property := dynamicKey.fill(Slots{"variable": variable.fragment(), "key": numberedName("$aggregate.k", position)})
	if a.Key != (Fragment{}) {
		property = keyTemplate.fill(Slots{"variable": variable.fragment(), "key": a.Key})
	}
	return shownValue(a.Shown, valueOf.fill(Slots{"property": property}))
}

// shownValue is the expression for a property where a condition shows it, else null; see Condition.
func shownValue(condition, property Fragment) Fragment {
	switch condition {
	case Fragment{}:
		return property
	case False:
		return literal("null")
	default:
		return whereShown.fill(Slots{"shown": condition, "property": property})
	}
}

var (
	byCount = literal("entities DESC, value")
	byValue = literal("value")

	whereShown = newTemplate("CASE WHEN {{shown}} THEN {{property}} END")

	measureRow = newTemplate(`{{m}}, CASE WHEN {{m}} IS :: INTEGER NOT NULL THEN {{m}} END AS {{i}},
  CASE WHEN {{m}} IS :: FLOAT NOT NULL AND {{m}} = {{m}} THEN {{m}} END AS {{f}},
  CASE WHEN {{m}} IS :: DATE NOT NULL OR {{m}} IS :: LOCAL DATETIME NOT NULL
    OR {{m}} IS :: ZONED DATETIME NOT NULL THEN {{m}} END AS {{t}}`)
	measureList = newTemplate(`[count({{m}}), count({{i}}), count({{f}}), sum({{i}} / 4294967296), sum({{i}} % 4294967296), sum({{f}}),
  min({{i}}), max({{i}}), min({{f}}), max({{f}}), min({{t}}), max({{t}})]`)
)

// binnings are the expressions of a group's value. A value that no bin can hold gives null. An index beyond the integers that a float holds
// exactly would be wrong, and none has a separate bin. A quotient is rounded, as the bounds of graph.Bin are: of the bins beside it,
// the one is taken whose bounds hold the value when they are compared as filters compare. Neo4j orders -0.0 below 0.
var binnings = map[Binning]Fragment{
	ByValue: newTemplate("CASE WHEN grouped IS :: STRING NOT NULL THEN left(grouped, {{max_length}}) ELSE grouped END").fill(
		Slots{"max_length": number(SortedText)}),
	ByWholeWidth: literal(`CASE WHEN grouped IS :: INTEGER NOT NULL
    THEN grouped / $aggregate.bin - CASE WHEN grouped % $aggregate.bin < 0 THEN 1 ELSE 0 END
  WHEN grouped IS :: FLOAT NOT NULL AND abs(grouped / $aggregate.bin) < 9007199254740992.0
    THEN head([n IN range(toInteger(floor(grouped / $aggregate.bin)) - 1, toInteger(floor(grouped / $aggregate.bin)) + 1)
      WHERE grouped >= toFloat(n) * $aggregate.bin AND grouped < toFloat(n + 1) * $aggregate.bin]) END`),
	ByWidth: literal(`CASE WHEN (grouped IS :: INTEGER NOT NULL OR grouped IS :: FLOAT NOT NULL)
    AND abs(grouped / $aggregate.bin) < 9007199254740992.0
  THEN head([n IN range(toInteger(floor(grouped / $aggregate.bin)) - 1, toInteger(floor(grouped / $aggregate.bin)) + 1)
    WHERE grouped >= toFloat(n) * $aggregate.bin AND grouped < toFloat(n + 1) * $aggregate.bin]) END`),
	ByUnit: literal(`CASE WHEN grouped IS :: DATE NOT NULL THEN date.truncate($aggregate.days, grouped)
  WHEN grouped IS :: LOCAL DATETIME NOT NULL THEN localdatetime.truncate($aggregate.bin, grouped)
  WHEN grouped IS :: ZONED DATETIME NOT NULL THEN datetime.truncate($aggregate.bin, datetime({datetime: grouped, timezone: 'Z'})) END`),
}
