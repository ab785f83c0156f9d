package httpapi

// Aggregate is a list in groups.
type Aggregate struct {
	Groups    []GroupDocument `json:"groups"`
	Truncated bool            `json:"truncated" example:"false"` // there are more groups
} // @name Aggregate

// GroupDocument is the entities with one value, or in one bin.
type GroupDocument struct {
	// With group_by: the value, or the lower bound of the bin, or null
	Value any `json:"value,omitempty" validate:"optional"`
	// With bin: the upper bound of the bin, which is outside it, or null
	Until    any                        `json:"until,omitempty" validate:"optional"`
	Count    int64                      `json:"count" example:"12"`
	Measures map[string]MeasureDocument `json:"measures"` // by property
} // @name AggregateGroup

// MeasureDocument is about the values of one property in a group.
type MeasureDocument struct {
	Count   int64 `json:"count" example:"12"`   // entities with the property
	Numbers int64 `json:"numbers" example:"12"` // entities where it is a number
	Sum     any   `json:"sum"`                  // of the numbers, or null
	Mean    any   `json:"mean"`                 // of the numbers, or null
	Min     any   `json:"min"`                  // of the numbers or, if there are none, of the dates and date-times; or null
	Max     any   `json:"max"`
} // @name AggregateMeasure
