package httpapi

import (
	"encoding/json"
	"time"
)

// SavedViewSummary is a saved view without its state, as lists show it.
type SavedViewSummary struct {
	ID          string `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Name        string `json:"name" example:"Delayed flights"`
	Description string `json:"description" example:"Departures over an hour late"`
	Page        string `json:"page" example:"edges" enums:"nodes,edges,explore"`
	Owner       string `json:"owner" example:"ann"` // empty if the owner was just deleted
	Own         bool   `json:"own" example:"true"`  // it belongs to the user of the request, who may change it
	// That it is shared with; null for others than its owner.
	Roles    []string `json:"roles" example:"flight-planners" extensions:"x-nullable"`
	Everyone bool     `json:"everyone" example:"false"` // it is shared with everyone who may read
	// Of the ETag: "1" is the ETag of version 1.
	Version   int64     `json:"version" example:"1" minimum:"1"`
	CreatedAt time.Time `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	UpdatedAt time.Time `json:"updated_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
} // @name SavedViewSummary

// SavedViewDocument is a saved view.
type SavedViewDocument struct {
	SavedViewSummary
	State json.RawMessage `json:"state" swaggertype:"object"` // as its owner saved it
} // @name SavedView

// NewSavedViewBody is the body of a saved view's creation.
type NewSavedViewBody struct {
	Name        string         `json:"name" example:"Delayed flights" minLength:"1" maxLength:"64" validate:"required"`
	Description string         `json:"description,omitempty" example:"Departures over an hour late" maxLength:"1000" validate:"optional"`
	Page        string         `json:"page" example:"edges" enums:"nodes,edges,explore" validate:"required"`
	State       map[string]any `json:"state" swaggertype:"object" validate:"required"`
	Roles       []string       `json:"roles,omitempty" example:"flight-planners" maxItems:"20" validate:"optional"`
	Everyone    bool           `json:"everyone,omitempty" example:"false" default:"false" validate:"optional"`
} // @name NewSavedView

// SavedViewChangeBody is the body of a saved view's update; absent members stay as they are.
type SavedViewChangeBody struct {
	Name        string         `json:"name,omitempty" example:"Delayed flights" minLength:"1" maxLength:"64" validate:"optional"`
	Description string         `json:"description,omitempty" example:"Departures over an hour late" maxLength:"1000" validate:"optional"`
	Page        string         `json:"page,omitempty" example:"edges" enums:"nodes,edges,explore" validate:"optional"`
	State       map[string]any `json:"state,omitempty" swaggertype:"object" validate:"optional"`
	Roles       []string       `json:"roles,omitempty" example:"flight-planners" maxItems:"20" validate:"optional"`
	Everyone    bool           `json:"everyone,omitempty" example:"false" validate:"optional"`
} // @name SavedViewChange

// SavedViewDeletionDocument is the result of a saved view's deletion.
type SavedViewDeletionDocument struct {
	ID      string `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name SavedViewDeletion
