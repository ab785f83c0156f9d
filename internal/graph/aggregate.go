package graph

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"graphrest/internal/fault"
)

// Limits of aggregations.
const (
	MaxMeasures   = 8
	DefaultGroups = 100
	MaxGroups     = MaxLimit
	MaxGroupText  = 256 // characters of a text by which entities are grouped
	maxBinWidth   = 1 << 52
)

// Aggregator counts the entities of a list in groups, with the sum, mean, minimum and maximum of properties. The database computes them by
// one scan of what the list reads, and only over what the user sees; a hidden property is absent. VALIDATION_ERROR as for lists,
// DATABASE_TIMEOUT if too much must be read.
type Aggregator interface {
	AggregateNodes(ctx context.Context, q NodeAggregateQuery) (Aggregate, error)
	// AggregateEdges aggregates edges. An end that does not exist selects no edges.
	AggregateEdges(ctx context.Context, q EdgeAggregateQuery) (Aggregate, error)
}

// Aggregation says what is computed.
type Aggregation struct {
	GroupBy  string   // a property; empty for one group of all entities
	Bin      Bin      // how values of GroupBy are put together; the zero value groups equal values
	Measures []string // properties, at most MaxMeasures
	Limit    int      // maximum groups, 1 to MaxGroups
}

// NodeAggregateQuery selects nodes as NodeQuery does.
type NodeAggregateQuery struct {
	Type   TypeName
	Filter Filter
	Aggregation
}

// EdgeAggregateQuery selects edges as EdgeQuery does.
type EdgeAggregateQuery struct {
	Type                       TypeName
	SourceID, TargetID, NodeID string
	Filter                     Filter
	Aggregation
}

// Aggregate is the result. Without bins the groups with the most entities come first, with bins the lowest value.
type Aggregate struct {
	Groups    []Group // never nil
	Truncated bool    // there are more groups
}

// Group is the entities with one value, or in one bin.
type Group struct {
	// Value is the value, of a text the first MaxGroupText characters, or the lower bound of the bin. Nil: the property is absent, or its
	// value is in no bin.
	Value    Value
	Until    Value // the upper bound of the bin, which is outside it; nil without bins
	Count    int64
	Measures []Measure // as in Aggregation.Measures
}

// Measure is about the values of one property in a group. Sum and Mean are those of the numbers, Min and Max those of the numbers or, if
// there are none, those of the dates and date-times; nil if there are no such values. NaN is not counted as a number.
type Measure struct {
	Count     int64 // entities with the property
	Numbers   int64 // entities where it is a number
	Sum, Mean Value // Sum is an integer if all numbers are, unless it exceeds 64 bits
	Min, Max  Value
}

// Bin puts values together: numbers in intervals of a width, or dates and date-times by a unit of time.
type Bin struct {
	Width Value // int64 or float64, positive; nil for none
	Unit  string
}

// IsSet reports whether values are put into bins.
func (b Bin) IsSet() bool { return b != Bin{} }

// Units are the units of time by which values are put into bins. A week begins on Monday.
func Units() []string { return []string{"year", "quarter", "month", "week", "day", "hour"} }

// ParseBin parses the width of a bin or a unit of time. The fault names the given field.
func ParseBin(field, text string) (Bin, *fault.Error) {
	if slices.Contains(Units(), text) {
		return Bin{Unit: text}, nil
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil && whole > 0 && whole <= maxBinWidth {
		return Bin{Width: whole}, nil
	}
	if width, err := strconv.ParseFloat(text, 64); err == nil && width > 0 && width <= maxBinWidth {
		return Bin{Width: width}, nil
	}
	return Bin{}, fault.Invalid(field, "must be a width, a number above 0 and up to %d, or a unit of time: %s",
		maxBinWidth, strings.Join(Units(), ", "))
}

// Bounds returns the bounds of the bin with an index: the values from index times the width to below the next.
func (b Bin) Bounds(index int64) (from, until Value) {
	if width, whole := b.Width.(int64); whole {
		if index == math.MaxInt64 {
			return index, float64(index) // of width 1: the next integer is a float
		}
		return multiple(index, width), multiple(index+1, width)
	}
	width, _ := b.Width.(float64)
	return float64(index) * width, float64(index+1) * width
}

// multiple returns a multiple of a width: an integer if it has at most 64 bits, and otherwise a float.
func multiple(index, width int64) Value {
	if product := index * width; index == 0 || product/index == width {
		return product
	}
	return float64(index) * float64(width)
}

// Next returns the beginning of the unit of time after the one that begins at a value; nil if the value is no date or date-time.
func (b Bin) Next(from Value) Value {
	switch v := from.(type) {
	case Date:
		next := b.after(time.Unix(v.Days*86400, 0).UTC())
		if b.Unit == "hour" { // a date has no hours
			next = time.Unix(v.Days*86400, 0).UTC().AddDate(0, 0, 1)
		}
		return DateOf(next)
	case LocalDateTime:
		return LocalDateTime{Seconds: b.after(time.Unix(v.Seconds, 0).UTC()).Unix()}
	case DateTime:
		return DateTime{Seconds: b.after(time.Unix(v.Seconds, 0).UTC()).Unix(), Offset: v.Offset, Zone: v.Zone}
	default:
		return nil
	}
}

func (b Bin) after(t time.Time) time.Time {
	switch b.Unit {
	case "year":
		return t.AddDate(1, 0, 0)
	case "quarter":
		return t.AddDate(0, 3, 0)
	case "month":
		return t.AddDate(0, 1, 0)
	case "week":
		return t.AddDate(0, 0, 7)
	case "day":
		return t.AddDate(0, 0, 1)
	default:
		return t.Add(time.Hour)
	}
}
