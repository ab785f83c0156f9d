package httpapi

import "time"

// NodeStyleDocument is the style of a node type in the schema; absent members are the client's choice.
type NodeStyleDocument struct {
	Color   string `json:"color,omitempty" example:"#1c63b8" validate:"optional"`
	Size    int64  `json:"size,omitempty" example:"40" validate:"optional"`      // in pixels
	Caption string `json:"caption,omitempty" example:"name" validate:"optional"` // the property that names a node
	Icon    string `json:"icon,omitempty" example:"plane" validate:"optional"`   // a name; one that a client does not know is not drawn
} // @name NodeStyle

// EdgeStyleDocument is the style of an edge type in the schema; absent members are the client's choice.
type EdgeStyleDocument struct {
	Color string `json:"color,omitempty" example:"#b4540a" validate:"optional"`
	Width int64  `json:"width,omitempty" example:"3" validate:"optional"` // in pixels
} // @name EdgeStyle

// TypeStyleDocument is the stored style of a type.
type TypeStyleDocument struct {
	Kind    string  `json:"kind" enums:"nodes,edges" example:"nodes"`
	Type    string  `json:"type" example:"Airport"`
	Color   *string `json:"color" example:"#1c63b8" extensions:"x-nullable"`
	Size    *int64  `json:"size" example:"40" extensions:"x-nullable"`      // of nodes
	Width   *int64  `json:"width" example:"3" extensions:"x-nullable"`      // of edges
	Caption *string `json:"caption" example:"name" extensions:"x-nullable"` // of nodes: the property that names one
	Icon    *string `json:"icon" example:"plane" extensions:"x-nullable"`   // of nodes
	// Null if there is no style any more.
	UpdatedAt *time.Time `json:"updated_at" format:"date-time" example:"2026-11-21T07:00:00Z" extensions:"x-nullable"`
} // @name TypeStyle

// TypeStyleChangeBody is the body of a change of a style: absent members stay as they are, null removes one.
type TypeStyleChangeBody struct {
	// #rrggbb in lower case.
	Color *string `json:"color,omitempty" example:"#1c63b8" extensions:"x-nullable" validate:"optional"`
	// Of nodes, in pixels.
	Size *int64 `json:"size,omitempty" example:"40" minimum:"10" maximum:"200" extensions:"x-nullable" validate:"optional"`
	// Of edges, in pixels.
	Width *int64 `json:"width,omitempty" example:"3" minimum:"1" maximum:"20" extensions:"x-nullable" validate:"optional"`
	// Of nodes: the property that names one.
	Caption *string `json:"caption,omitempty" example:"name" maxLength:"255" extensions:"x-nullable" validate:"optional"`
	// Of nodes: a name of lower-case words joined by hyphens. The web interface draws those that it offers.
	Icon *string `json:"icon,omitempty" example:"plane" maxLength:"48" extensions:"x-nullable" validate:"optional"`
} // @name TypeStyleChange

// TypeStyleRemovedDocument is the result of removing a style.
type TypeStyleRemovedDocument struct {
	Kind    string `json:"kind" enums:"nodes,edges" example:"nodes"`
	Type    string `json:"type" example:"Airport"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name RemovedTypeStyle
