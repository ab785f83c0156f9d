package cypher

import (
	"fmt"
	"strings"
)

// Order fills the slots of a statement that sorts by properties, whose keys are the parameter $sort and whose position, where
// the page begins, is the parameter $after: null, or a map of the columns r0, d0, r1, ... and key and element.
//
// A property's own value does not serve as a sort key. ORDER BY puts all values in one order, whereas < and > compare within
// a type only, not at all for some types, and on 5.26 a stored text with a parameter in another order than two stored texts. So each
// value is turned into two columns that both agree on: the rank of its type (r) and, within the rank, a number, a boolean, a text made by the
// statement, or a list of such (d). NaN and null have ranks of their own.
func Order(variable string, descending []bool) Slots {
	var values, ranks, keys, order, place []string
	behind := "key > $after.key OR (key = $after.key AND element > $after.element)"
	for i := len(descending) - 1; i >= 0; i-- {
		behind = after(fmt.Sprintf("r%d", i), descending[i], after(fmt.Sprintf("d%d", i), descending[i], behind))
	}
	for i, down := range descending {
		p, r, d := fmt.Sprintf("p%d", i), fmt.Sprintf("r%d", i), fmt.Sprintf("d%d", i)
		values = append(values, fmt.Sprintf("%s[$sort[%d]] AS %s", variable, i, p))
		ranks = append(ranks, p, rank(p, down)+" AS "+r)
		keys = append(keys, r, derived(p, r)+" AS "+d)
		direction := ""
		if down {
			direction = " DESC"
		}
		order = append(order, fmt.Sprintf("place[%d]%s", 2*i, direction), fmt.Sprintf("place[%d]%s", 2*i+1, direction))
		place = append(place, r, d)
	}
	join := func(parts []string) Name { return Name{strings.Join(parts, ", ")} }
	return Slots{
		"values": join(values), "ranks": join(ranks), "keys": join(keys), "order": join(order), "behind": Name{behind}, "place": Name{"[" + strings.Join(place, ", ") + "]"},
	}
}

// after says that a row's column is behind the position's, or equal to it and the rest is.
func after(column string, descending bool, rest string) string {
	operator := ">"
	if descending {
		operator = "<"
	}
	return fmt.Sprintf("CASE WHEN %[1]s = $after.%[1]s THEN %[3]s ELSE %[1]s %[2]s $after.%[1]s END", column, operator, rest)
}

// The ranks of the types are in Neo4j's own order (Neo4j manual, "Ordering and comparison of values"). A type that a newer server
// may bring is put before all, and is not sorted within.
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

// rank is the rank of a value's type. Null is last in either direction.
func rank(p string, descending bool) string {
	null := rankNull
	if descending {
		null = rankOther - 1
	}
	return fmt.Sprintf(`CASE WHEN %[1]s IS NULL THEN %[2]d
  WHEN %[1]s IS :: STRING NOT NULL THEN %[3]d
  WHEN %[1]s IS :: INTEGER NOT NULL THEN %[4]d
  WHEN %[1]s IS :: FLOAT NOT NULL THEN CASE WHEN %[1]s = %[1]s THEN %[4]d ELSE %[5]d END
  WHEN %[1]s IS :: BOOLEAN NOT NULL THEN %[6]d
  WHEN %[1]s IS :: DATE NOT NULL THEN %[7]d
  WHEN %[1]s IS :: ZONED DATETIME NOT NULL THEN %[8]d
  WHEN %[1]s IS :: LOCAL DATETIME NOT NULL THEN %[9]d
  WHEN %[1]s IS :: ZONED TIME NOT NULL THEN %[10]d
  WHEN %[1]s IS :: LOCAL TIME NOT NULL THEN %[11]d
  WHEN %[1]s IS :: DURATION NOT NULL THEN %[12]d
  WHEN %[1]s IS :: POINT NOT NULL THEN %[13]d
  WHEN %[1]s IS :: LIST<INTEGER | FLOAT> NOT NULL THEN %[14]d
  WHEN %[1]s IS :: LIST<ANY> NOT NULL THEN %[15]d ELSE %[16]d END`,
		p, null, rankText, rankNumber, rankNaN, rankBoolean, rankDate, rankDateTime, rankLocalDateTime, rankTime, rankLocalTime,
		rankDuration, rankPoint, rankNumbers, rankList, rankOther)
}

// What a sort looks at of a text and of a list. A position carries it, so it must not be long.
const (
	sortedText    = 256 // characters
	sortedMembers = 8   // of a list
	sortedMember  = 32  // characters of each
)

// derived is what puts values of one rank in order.
//
// Text: adding the empty text makes a string that is compared in one way only, by UTF-16 code units. Number: as float, since a
// comparison of an integer with a float is one of floats, and then integers apart that are too large for that; adding zero makes the zeros one. Duration:
// by the average length of a month, as Neo4j orders durations.
func derived(p, r string) string {
	clock := "(%[1]s.hour * 60 + %[1]s.minute) * 60 + %[1]s.second"
	return fmt.Sprintf(`CASE %[2]s
  WHEN %[3]d THEN left(%[1]s, %[16]d) + ''
  WHEN %[4]d THEN [toFloat(%[1]s) + 0.0, CASE WHEN %[1]s IS :: INTEGER NOT NULL AND (%[1]s > 9007199254740991 OR %[1]s < -9007199254740991) THEN %[1]s ELSE 0 END]
  WHEN %[5]d THEN %[1]s
  WHEN %[6]d THEN [%[1]s.year, %[1]s.ordinalDay]
  WHEN %[7]d THEN [%[1]s.epochSeconds, %[1]s.nanosecond, %[1]s.timezone + '']
  WHEN %[8]d THEN [%[1]s.year, %[1]s.ordinalDay, `+clock+`, %[1]s.nanosecond]
  WHEN %[9]d THEN [`+clock+` - %[1]s.offsetSeconds, %[1]s.nanosecond, %[1]s.offsetSeconds]
  WHEN %[10]d THEN [`+clock+`, %[1]s.nanosecond]
  WHEN %[11]d THEN [%[1]s.months * 2629746 + %[1]s.days * 86400 + %[1]s.seconds, %[1]s.nanosecondsOfSecond, %[1]s.months, %[1]s.days]
  WHEN %[12]d THEN [%[1]s.srid, %[1]s.x + 0.0, %[1]s.y + 0.0, CASE WHEN %[1]s.srid IN [4979, 9157] THEN %[1]s.z + 0.0 ELSE 0.0 END]
  WHEN %[13]d THEN [x IN %[1]s[..%[17]d] | CASE WHEN x = x THEN [0, toFloat(x) + 0.0] ELSE [1, 0.0] END]
  WHEN %[14]d THEN [x IN %[1]s[..%[17]d] | left(toString(x), %[18]d) + '']
  ELSE %[15]d END`, p, r, rankText, rankNumber, rankBoolean, rankDate, rankDateTime, rankLocalDateTime, rankTime, rankLocalTime,
		rankDuration, rankPoint, rankNumbers, rankList, 0, sortedText, sortedMembers, sortedMember)
}
