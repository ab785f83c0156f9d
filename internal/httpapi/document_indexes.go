package httpapi

import "time"

// PropertyIndexDocument is an index of the database, of any kind.
type PropertyIndexDocument struct {
	Name   string `json:"name" example:"person_score"`
	Entity string `json:"entity" example:"node" enums:"node,edge"`
	// range, text and point can be created; lookup, fulltext and others are only listed
	Kind       string   `json:"kind" example:"range"`
	Type       *string  `json:"type" example:"Person" extensions:"x-nullable"` // null for an index on no type or on several
	Types      []string `json:"types" example:"Person"`                        // empty for a lookup index
	Properties []string `json:"properties" example:"score"`                    // empty for a lookup index
	State      string   `json:"state" example:"online" enums:"building,online,failed"`
	Progress   float64  `json:"progress" example:"100" minimum:"0" maximum:"100"` // of building, in percent
	// false for an index that was created in another way, which this path does not delete
	Managed    bool    `json:"managed" example:"true"`
	Constraint *string `json:"constraint" example:"person_key" extensions:"x-nullable"` // the constraint that owns the index; null for none
	// how often the index was read since reads_since; null while the database has not stored the number yet, which takes about a minute
	Reads      *int64     `json:"reads" example:"120" extensions:"x-nullable"`
	ReadsSince *time.Time `json:"reads_since" format:"date-time" example:"2026-11-21T07:00:00Z" extensions:"x-nullable"`
	LastReadAt *time.Time `json:"last_read_at" format:"date-time" example:"2026-11-29T09:30:00Z" extensions:"x-nullable"` // null: not read
} // @name PropertyIndex

// NewIndexBody is the body of an index's creation.
type NewIndexBody struct {
	Name       string   `json:"name" example:"person_score" minLength:"1" maxLength:"64" validate:"required"` // letters, digits, "_" and "-"
	Entity     string   `json:"entity" example:"node" enums:"node,edge" validate:"required"`
	Kind       string   `json:"kind" example:"range" enums:"range,text,point" validate:"required"`
	Type       string   `json:"type" example:"Person" validate:"required"`
	Properties []string `json:"properties" example:"score" minItems:"1" maxItems:"10" validate:"required"` // text and point take one
} // @name NewIndex

// IndexDeletionDocument is the result of an index's deletion.
type IndexDeletionDocument struct {
	Name    string `json:"name" example:"person_score"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name IndexDeletion

// AskedListDocument counts the requests for lists with the same filter and sort.
type AskedListDocument struct {
	Filter    []string `json:"filter" example:"filter[score][gte]"` // without the literals
	Sort      string   `json:"sort" example:"-score"`               // a JSON array if a name contains a comma; empty for none
	Count     int64    `json:"count" example:"12"`
	ElapsedMS float64  `json:"elapsed_ms" example:"18200.5"`
	SavedMS   float64  `json:"saved_ms" example:"17960.5"`
} // @name AskedList

// IndexAdviceDocument is an index that would have helped.
type IndexAdviceDocument struct {
	WouldBe   NewIndexBody        `json:"would_be"` // ready for POST /api/admin/indexes
	Count     int64               `json:"count" example:"12"`
	ElapsedMS float64             `json:"elapsed_ms" example:"18200.5"`
	SavedMS   float64             `json:"saved_ms" example:"17960.5"` // estimated savings of an index
	Asked     []AskedListDocument `json:"asked"`                      // most expensive first
} // @name IndexAdvice
