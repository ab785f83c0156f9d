package cypher

import "slices"

// Order fills the slots of a statement that sorts by properties. The names of the properties are the parameter $sort. The cursor position,
// after which the page begins, is the parameter $after: null, or a map of the columns r0, d0, r1, ..., and own, key and number. Entities
// with the same columns are ordered by their own ids, then come those without one, by the number at the end of the element id.
//
// A property's own value cannot be the sort key. ORDER BY has a total order of all values, whereas < and > compare values of one type only,
// do not compare some types at all, and on 5.26 order a stored string against a parameter differently than two stored strings. So each
// value is converted to two columns on which both agree: the rank of its type (r) and, within the rank, a number, a boolean, a string built
// by the statement, or a list of these (d). NaN and null have their own ranks.
func Order(variable Variable, by []SortKey) Slots {
	var values, ranks, keys, order, sortColumns []Fragment
	afterPosition := afterTie.fill(Slots{"variable": variable.fragment()})
	for i, key := range slices.Backward(by) {
		afterPosition = columnAfter(numberedName("r", i), key.Descending, columnAfter(numberedName("d", i), key.Descending, afterPosition))
	}
	for i, key := range by {
		p, r, d := numberedName("p", i), numberedName("r", i), numberedName("d", i)
		value := key.value(sortValue.fill(Slots{"variable": key.Of.or(variable.fragment()), "position": number(i)}))
		values = append(values, aliased.fill(Slots{"expression": value, "column": p}))
		ranks = append(ranks, p, aliased.fill(Slots{"expression": rank(p, key.Descending), "column": r}))
		keys = append(keys, r, aliased.fill(Slots{"expression": derived(p, r), "column": d}))
		direction := ascendingKey
		if key.Descending {
			direction = descendingKey
		}
		order = append(order, direction.fill(Slots{"position": number(2 * i)}), direction.fill(Slots{"position": number(2*i + 1)}))
		sortColumns = append(sortColumns, r, d)
	}
	return Slots{
		"values": join(", ", values), "ranks": join(", ", ranks), "keys": join(", ", keys), "order": join(", ", order),
		"after_position": afterPosition, "sort_columns": listOf.fill(Slots{"members": join(", ", sortColumns)}),
	}
}

var (
	sortValue     = newTemplate("{{variable}}[$sort[{{position}}]]")
	aliased       = newTemplate("{{expression}} AS {{column}}")
	listOf        = newTemplate("[{{members}}]")
	ascendingKey  = newTemplate("sort_columns[{{position}}]")
	descendingKey = newTemplate("sort_columns[{{position}}] DESC")
	afterUp       = newTemplate("CASE WHEN {{column}} = $after.{{column}} THEN {{rest}} ELSE {{column}} > $after.{{column}} END")
	afterTie      = newTemplate(`CASE WHEN own = $after.own THEN CASE WHEN key = $after.key
  THEN toInteger(split(elementId({{variable}}), ':')[2]) > $after.number ELSE key > $after.key END ELSE $after.own END`)
	afterDown = newTemplate("CASE WHEN {{column}} = $after.{{column}} THEN {{rest}} ELSE {{column}} < $after.{{column}} END")
)

// columnAfter is true if a row's column sorts after the position's, or is equal and rest is true.
func columnAfter(column Fragment, descending bool, rest Fragment) Fragment {
	test := afterUp
	if descending {
		test = afterDown
	}
	return test.fill(Slots{"column": column, "rest": rest})
}

// The ranks of the types follow Neo4j's own order (Neo4j manual, "Ordering and comparison of values"). A type that a newer server may add
// sorts before all others and is unordered.
const (
	rankOther = iota
	rankList
	rankNumbers
	rankPoint
	rankDateTime
	rankLocalDateTime
	rankDate
	rankTime
	rankLocalTime
	rankDuration
	rankText
	rankBoolean
	rankNumber
	rankNaN
	rankNull
)

// The ranks whose values have the same order by <, >, ORDER BY and the columns, for most values; see Top.
const (
	RankDateTime = rankDateTime
	RankDate     = rankDate
	RankText     = rankText
	RankBoolean  = rankBoolean
	RankNumber   = rankNumber
	RankNaN      = rankNaN
)

// RankUnset is the rank of an entity without the property, which sorts last in both directions.
func RankUnset(descending bool) int64 {
	if descending {
		return rankOther - 1
	}
	return rankNull
}

// rankSlots are the ranks as slots of rankTemplate and derivedTemplate.
func rankSlots(more Slots) Slots {
	slots := Slots{
		"text": number(rankText), "number": number(rankNumber), "nan": number(rankNaN), "boolean": number(rankBoolean),
		"date": number(rankDate), "datetime": number(rankDateTime), "localdatetime": number(rankLocalDateTime),
		"time": number(rankTime), "localtime": number(rankLocalTime), "duration": number(rankDuration), "point": number(rankPoint),
		"numbers": number(rankNumbers), "list": number(rankList), "other": number(rankOther),
	}
	for slot, fragment := range more {
		slots[slot] = fragment
	}
	return slots
}

// rank is the rank of a value's type. Null sorts last in both directions.
func rank(p Fragment, descending bool) Fragment {
	return rankTemplate.fill(rankSlots(Slots{"p": p, "null": number(int(RankUnset(descending)))}))
}

var rankTemplate = newTemplate(`CASE WHEN {{p}} IS NULL THEN {{null}}
  WHEN {{p}} IS :: STRING NOT NULL THEN {{text}}
  WHEN {{p}} IS :: INTEGER NOT NULL THEN {{number}}
  WHEN {{p}} IS :: FLOAT NOT NULL THEN CASE WHEN {{p}} = {{p}} THEN {{number}} ELSE {{nan}} END
  WHEN {{p}} IS :: BOOLEAN NOT NULL THEN {{boolean}}
  WHEN {{p}} IS :: DATE NOT NULL THEN {{date}}
  WHEN {{p}} IS :: ZONED DATETIME NOT NULL THEN {{datetime}}
  WHEN {{p}} IS :: LOCAL DATETIME NOT NULL THEN {{localdatetime}}
  WHEN {{p}} IS :: ZONED TIME NOT NULL THEN {{time}}
  WHEN {{p}} IS :: LOCAL TIME NOT NULL THEN {{localtime}}
  WHEN {{p}} IS :: DURATION NOT NULL THEN {{duration}}
  WHEN {{p}} IS :: POINT NOT NULL THEN {{point}}
  WHEN {{p}} IS :: LIST<INTEGER | FLOAT> NOT NULL THEN {{numbers}}
  WHEN {{p}} IS :: LIST<ANY> NOT NULL THEN {{list}} ELSE {{other}} END`)

// How much of a string and of a list is sorted by. A cursor contains it, so it must be short.
const (
	SortedText    = 256 // characters
	sortedMembers = 8   // of a list
	sortedMember  = 32  // characters of each
)

// derived is the column that orders the values of one rank.
//
// String: appending the empty string creates a string that is compared in one way only, by UTF-16 code units. Number: as a float, because a
// comparison of an integer with a float is one of floats, and then the integers that are too large for a float; -0.0 sorts before 0.0, as
// in ORDER BY. Duration: by the average length of a month, as Neo4j orders durations. Date and time with a zone: by the instant, then the
// offset, then values without a region first.
func derived(p, r Fragment) Fragment {
	return derivedTemplate.fill(rankSlots(Slots{
		"p": p, "r": r, "clock": clock.fill(Slots{"p": p}), "zoned": derivedDateTime.fill(Slots{"p": p}),
		"characters": number(SortedText), "members": number(sortedMembers), "member": number(sortedMember),
	}))
}

var clock = newTemplate("({{p}}.hour * 60 + {{p}}.minute) * 60 + {{p}}.second")

var derivedDateTime = newTemplate("[{{p}}.epochSeconds, {{p}}.nanosecond, {{p}}.offsetSeconds, " +
	"CASE {{p}}.timezone WHEN {{p}}.offset THEN '' ELSE {{p}}.timezone + '' END]")

var derivedTemplate = newTemplate(`CASE {{r}}
  WHEN {{text}} THEN left({{p}}, {{characters}}) + ''
  WHEN {{number}} THEN [toFloat({{p}}) + 0.0,
    CASE WHEN {{p}} IS :: INTEGER NOT NULL AND ({{p}} > 9007199254740991 OR {{p}} < -9007199254740991) THEN {{p}}
      WHEN {{p}} = 0 AND 1.0 / toFloat({{p}}) < 0 THEN -1 ELSE 0 END]
  WHEN {{boolean}} THEN {{p}}
  WHEN {{date}} THEN [{{p}}.year, {{p}}.ordinalDay]
  WHEN {{datetime}} THEN {{zoned}}
  WHEN {{localdatetime}} THEN [{{p}}.year, {{p}}.ordinalDay, {{clock}}, {{p}}.nanosecond]
  WHEN {{time}} THEN [{{clock}} - {{p}}.offsetSeconds, {{p}}.nanosecond, {{p}}.offsetSeconds]
  WHEN {{localtime}} THEN [{{clock}}, {{p}}.nanosecond]
  WHEN {{duration}} THEN [{{p}}.months * 2629746 + {{p}}.days * 86400 + {{p}}.seconds, {{p}}.nanosecondsOfSecond, {{p}}.months, {{p}}.days]
  WHEN {{point}} THEN [{{p}}.srid, {{p}}.x + 0.0, {{p}}.y + 0.0, CASE WHEN {{p}}.srid IN [4979, 9157] THEN {{p}}.z + 0.0 ELSE 0.0 END]
  WHEN {{numbers}} THEN [x IN {{p}}[..{{members}}] | CASE WHEN x = x THEN [0, toFloat(x) + 0.0] ELSE [1, 0.0] END]
  WHEN {{list}} THEN [x IN {{p}}[..{{members}}] | left(toString(x), {{member}}) + '']
  ELSE 0 END`)
