package httpapi

import (
	"encoding/json"
	"time"
)

// GrantBody allows actions on the entities of one type that meet the conditions.
type GrantBody struct {
	Kind     string          `json:"kind" example:"node" enums:"node,edge" validate:"required"`
	Type     string          `json:"type" example:"Person" validate:"required"` // * for every type, and nodes without a label
	Actions  []string        `json:"actions" example:"read,edit" enums:"read,create,edit,delete" validate:"required"`
	Where    json.RawMessage `json:"where,omitempty" swaggertype:"object" validate:"optional"` // {property: {operator: value}}
	Hidden   []string        `json:"hidden,omitempty" example:"salary" validate:"optional"`    // neither shown nor written
	ReadOnly []string        `json:"read_only,omitempty" example:"owner" validate:"optional"`  // properties that are not written
} // @name Grant

// NewRoleBody is the body of a role's creation.
type NewRoleBody struct {
	Name        string      `json:"name" example:"hr" minLength:"1" maxLength:"64" validate:"required"`
	Description string      `json:"description,omitempty" example:"Staff of human resources" maxLength:"1000" validate:"optional"`
	Grants      []GrantBody `json:"grants,omitempty" validate:"optional"`                          // required without queries
	Queries     []string    `json:"queries,omitempty" example:"top_customers" validate:"optional"` // names of saved queries, or * for all
} // @name NewRole

// RoleChangeBody is the body of a role's update.
type RoleChangeBody struct {
	Name        string      `json:"name,omitempty" example:"hr" validate:"optional"` // as in the path
	Description string      `json:"description,omitempty" example:"Staff of human resources" maxLength:"1000" validate:"optional"`
	Grants      []GrantBody `json:"grants,omitempty" validate:"optional"`                          // replaced as a whole
	Queries     []string    `json:"queries,omitempty" example:"top_customers" validate:"optional"` // replaced as a whole
} // @name RoleChange

// RoleDocument is a role.
type RoleDocument struct {
	Name        string      `json:"name" example:"hr"`
	Description string      `json:"description" example:"Staff of human resources"`
	Grants      []GrantBody `json:"grants"`
	Queries     []string    `json:"queries" example:"top_customers"` // names of saved queries that may be run, or * for all
	CreatedAt   time.Time   `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	UpdatedAt   time.Time   `json:"updated_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
} // @name Role

// RolePreviewBody are grants to preview.
type RolePreviewBody struct {
	Grants []GrantBody `json:"grants" validate:"required"`
	// whose attributes conditions refer to
	User string `json:"user,omitempty" example:"ann" validate:"optional" extensions:"x-nullable"`
} // @name RolePreviewRequest

// RolePreviewDocument says how many entities of each type grants show.
type RolePreviewDocument struct {
	NodeTypes []PreviewedType `json:"node_types"`
	EdgeTypes []PreviewedType `json:"edge_types"`
} // @name RolePreview

// PreviewedType is a type with its visible entities and all of them.
type PreviewedType struct {
	Type    string `json:"type" example:"Person"`
	Visible *int64 `json:"visible" example:"31" extensions:"x-nullable"` // null if it could not be counted in time
	Total   int64  `json:"total" example:"133"`
} // @name PreviewedType

// ExplainBody is a request to explain.
type ExplainBody struct {
	User   string          `json:"user" example:"ann" validate:"required"`
	Method string          `json:"method" example:"GET" validate:"required"`
	Path   string          `json:"path" example:"/api/nodes/01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d" validate:"required"` // with its query
	Body   json.RawMessage `json:"body,omitempty" swaggertype:"object" validate:"optional"`
	// Token is the id of a personal token of the user, whose rights are explained instead of those of a login.
	Token string `json:"token,omitempty" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b" validate:"optional"`
} // @name Explain

// ExplanationDocument says what a request of a user would get, and why.
type ExplanationDocument struct {
	Allowed   bool               `json:"allowed" example:"false"`
	Code      string             `json:"code,omitempty" example:"NOT_FOUND" validate:"optional"` // absent if allowed
	DecidedBy []DecisionDocument `json:"decided_by"`
	Checks    []CheckDocument    `json:"checks"`
} // @name Explanation

// DecisionDocument is a permission or a grant that decided. role and grant are null for a permission, and if there is none.
type DecisionDocument struct {
	Role   *string `json:"role" example:"hr" extensions:"x-nullable"`
	Grant  *int    `json:"grant" example:"0" extensions:"x-nullable"` // its index in the role
	Reason string  `json:"reason" example:"its condition where.team.eq is not met"`
} // @name Decision

// CheckDocument is a check of a request, in the order of the checks.
type CheckDocument struct {
	Check  string `json:"check" example:"visible" enums:"route,account,access,query,explain,entity,visible,allowed,edges"`
	Passed bool   `json:"passed" example:"false"`
	Detail string `json:"detail" example:"no grant shows this node"`
} // @name Check

// RoleDeletionDocument is the result of a role's deletion.
type RoleDeletionDocument struct {
	Name    string `json:"name" example:"hr"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name RoleDeletion
