package cypher

// MatchOp is an operation of a measure.
type MatchOp uint8

// Operations of measures.
const (
	CountRows MatchOp = iota
	CountValues
	SumValues
	MeanValues
	MinValue
	MaxValue
)

// MatchMeasure is a measure of a group.
type MatchMeasure struct {
	Op MatchOp
	Of Matched // of all but CountRows
}

// GroupVariable is the variable of a column that groups, MeasureVariable that of a measure.
func GroupVariable(n int) Entity { return Entity{expression: numberedName("g", n)} }

// MeasureVariable is the variable of a measure.
func MeasureVariable(n int) Entity { return Entity{expression: numberedName("m", n)} }

// MatchGroups puts rows into groups and computes the measures of each. Sums are computed from the integers, as the sums of their upper and
// lower 32 bits because sum() fails beyond 64 bits, and from the floats without NaN.
func MatchGroups(groups []Matched, measures []MatchMeasure) Fragment {
	form := groupedRows
	if len(measures) == 0 {
		form = distinctGroups
	}
	var inputs, aggregated, normalized, result []Fragment
	pass := func(e Entity) {
		normalized, result = append(normalized, e.expression), append(result, e.expression)
	}
	for i, g := range groups {
		variable := GroupVariable(i)
		inputs = append(inputs, aliased.fill(Slots{"expression": g.fragment(), "column": variable.expression}))
		aggregated = append(aggregated, variable.expression)
		pass(variable)
	}
	for i, m := range measures {
		variable, input := MeasureVariable(i), numberedName("x", i)
		if m.Op != CountRows {
			inputs = append(inputs, aliased.fill(Slots{"expression": m.Of.fragment(), "column": input}))
		}
		value := aggregations[m.Op].fill(Slots{"x": input, "number": isNumber.fill(Slots{"x": input})})
		aggregated = append(aggregated, aliased.fill(Slots{"expression": value, "column": variable.expression}))
		if m.Op != SumValues {
			pass(variable)
			continue
		}
		form = groupedSums
		upper, lower := numberedName("h", i), numberedName("l", i)
		slots := Slots{"m": variable.expression, "upper": upper, "lower": lower}
		normalized = append(normalized, variable.expression, normalizedSum.fill(slots))
		result = append(result, aliased.fill(Slots{"expression": sumOfParts.fill(slots), "column": variable.expression}))
	}
	if len(inputs) == 0 {
		inputs = append(inputs, literal("1 AS one"))
	}
	slots := Slots{"inputs": join(", ", inputs), "aggregated": join(", ", aggregated)}
	if len(normalized) > 0 {
		slots["normalized"], slots["result"] = join(", ", normalized), join(", ", result)
	}
	return form.fill(slots)
}

var (
	groupedRows    = newTemplate("WITH {{inputs}}\nWITH {{aggregated}}")
	groupedSums    = newTemplate("WITH {{inputs}}\nWITH {{aggregated}}\nWITH {{normalized}}\nWITH {{result}}")
	distinctGroups = newTemplate("WITH {{inputs}}\nWITH DISTINCT {{aggregated}}")

	aggregations = map[MatchOp]template{
		CountRows: newTemplate("count(*)"), CountValues: newTemplate("count(DISTINCT {{x}})"),
		MinValue: newTemplate("min({{x}})"), MaxValue: newTemplate("max({{x}})"),
		SumValues: partsOfSum, MeanValues: meanOfNumbers,
	}
	meanOfNumbers = newTemplate(`CASE WHEN count(CASE WHEN {{number}} THEN 1 END) > 0
  THEN sum(CASE WHEN {{number}} THEN toFloat({{x}}) END) / count(CASE WHEN {{number}} THEN 1 END) END`)
	isNumber   = newTemplate("{{x}} IS :: INTEGER NOT NULL OR {{x}} IS :: FLOAT NOT NULL AND {{x}} = {{x}}")
	partsOfSum = newTemplate(`[count(CASE WHEN {{x}} IS :: FLOAT NOT NULL AND {{x}} = {{x}} THEN 1 END),
  sum(CASE WHEN {{x}} IS :: INTEGER NOT NULL THEN {{x}} / 4294967296 END),
  sum(CASE WHEN {{x}} IS :: INTEGER NOT NULL THEN {{x}} % 4294967296 END),
  sum(CASE WHEN {{x}} IS :: FLOAT NOT NULL AND {{x}} = {{x}} THEN {{x}} END)]`)
	// the upper and the lower 32 bits of the sum of the integers, the lower ones not negative
	normalizedSum = newTemplate(`{{m}}[1] + {{m}}[2] / 4294967296 - CASE WHEN {{m}}[2] % 4294967296 < 0 THEN 1 ELSE 0 END AS {{upper}},
  ({{m}}[2] % 4294967296 + 4294967296) % 4294967296 AS {{lower}}`)

	// an integer if there are no floats and 64 bits hold it
	sumOfParts = newTemplate(`CASE WHEN {{m}}[0] > 0 OR {{upper}} < -2147483648 OR {{upper}} > 2147483647
  THEN toFloat({{upper}}) * 4294967296.0 + {{lower}} + {{m}}[3] ELSE {{upper}} * 4294967296 + {{lower}} END`)
)
