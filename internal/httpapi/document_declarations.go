package httpapi

import (
	"encoding/json"
	"time"
)

// DeclarationBody is the body of a declaration. It accepts the members of a DeclaredType, so that one can be changed and sent back.
type DeclarationBody struct {
	Kind        string          `json:"kind,omitempty" enums:"nodes,edges" validate:"optional"` // as in the path
	Type        string          `json:"type,omitempty" example:"Airport" validate:"optional"`   // as in the path
	Level       string          `json:"level" enums:"none,new,moderate,strict" example:"strict" validate:"required"`
	Schema      json.RawMessage `json:"schema" swaggertype:"object" validate:"required"`
	Unique      [][]string      `json:"unique,omitempty" validate:"optional"`
	SourceTypes []string        `json:"source_types,omitempty" example:"Airport" validate:"optional"`
	TargetTypes []string        `json:"target_types,omitempty" example:"Airport" validate:"optional"`
	UniqueKeys  []UniqueKey     `json:"unique_keys,omitempty" validate:"optional"`                   // ignored
	UpdatedAt   *time.Time      `json:"updated_at,omitempty" format:"date-time" validate:"optional"` // ignored
} // @name Declaration

// DeclaredTypeDocument is a stored declaration.
type DeclaredTypeDocument struct {
	Kind        string          `json:"kind" enums:"nodes,edges" example:"nodes"`
	Type        string          `json:"type" example:"Airport"`
	Level       string          `json:"level" enums:"none,new,moderate,strict" example:"strict"`
	Schema      json.RawMessage `json:"schema" swaggertype:"object"` // JSON Schema of the properties
	Unique      [][]string      `json:"unique"`                      // sets of properties whose values must be unique
	SourceTypes []string        `json:"source_types" example:"Airport"`
	TargetTypes []string        `json:"target_types" example:"Airport"`
	UniqueKeys  []UniqueKey     `json:"unique_keys,omitempty" validate:"optional"` // state of each key of unique; not in lists
	UpdatedAt   time.Time       `json:"updated_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
} // @name DeclaredType

// UniqueKey is the state of a unique key.
type UniqueKey struct {
	Properties []string `json:"properties" example:"code"`
	State      string   `json:"state" enums:"enforced,foreign,missing" example:"enforced"`
} // @name UniqueKey

// ProposalDocument is a draft of a declaration.
type ProposalDocument struct {
	Declaration DeclarationBody `json:"declaration"`           // can be sent unchanged
	Count       int64           `json:"count" example:"105"`   // entities of the type
	Sampled     int64           `json:"sampled" example:"105"` // entities that the draft is based on
} // @name Proposal

// UndeclaredDocument is the result of removing a declaration.
type UndeclaredDocument struct {
	Kind    string `json:"kind" enums:"nodes,edges" example:"nodes"`
	Type    string `json:"type" example:"Airport"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name UndeclaredType

// ViolationDocument is an entity that violates its declaration.
type ViolationDocument struct {
	ID       string        `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Problems []ErrorDetail `json:"problems"`
} // @name Violation
