package httpapi

import "time"

// PersonalTokenDocument is a personal token, without its secret. Permissions and Roles are those that it is cut to, and null for one that
// has every right of its user.
type PersonalTokenDocument struct {
	ID          string    `json:"id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Name        string    `json:"name" example:"laptop"`
	Permissions *[]string `json:"permissions" example:"read" enums:"read,create,edit,delete,query,console" extensions:"x-nullable"`
	Roles       *[]string `json:"roles" extensions:"x-nullable"`
	CreatedAt   time.Time `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	ExpiresAt   time.Time `json:"expires_at" format:"date-time" example:"2027-02-19T07:00:00Z"`
	// LastUsedAt is to the minute, and null if the token was never used.
	LastUsedAt *time.Time `json:"last_used_at" format:"date-time" example:"2026-11-21T07:00:00Z" extensions:"x-nullable"`
} // @name PersonalToken

// CreatedPersonalTokenDocument is a new personal token with its secret.
type CreatedPersonalTokenDocument struct {
	PersonalTokenDocument
	Secret string `json:"secret" example:"grp_..." format:"password"` // shown in this answer only
} // @name CreatedPersonalToken

// NewPersonalTokenBody is the body of a personal token's creation.
type NewPersonalTokenBody struct {
	Name        string   `json:"name" example:"laptop" maxLength:"64" validate:"required"`
	Permissions []string `json:"permissions,omitempty" example:"read" enums:"read,create,edit,delete,query,console" validate:"optional"`
	Roles       []string `json:"roles,omitempty" validate:"optional"`
	ExpiresAt   string   `json:"expires_at,omitempty" format:"date-time" example:"2027-02-19T07:00:00Z" validate:"optional"`
} // @name NewPersonalToken

// PersonalTokenDeletionDocument is the result of a personal token's deletion.
type PersonalTokenDeletionDocument struct {
	ID      string `json:"id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name PersonalTokenDeletion
