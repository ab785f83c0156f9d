package httpapi

import "time"

// ServiceTokenDocument is a service token in answers to administrators, without its secret.
type ServiceTokenDocument struct {
	ID          string    `json:"id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Name        string    `json:"name" example:"nightly import"`
	Permissions []string  `json:"permissions" example:"read,create" enums:"read,create,edit,delete,query,console"`
	Roles       []string  `json:"roles"`
	RateLimit   *int64    `json:"rate_limit" example:"5000" extensions:"x-nullable"` // requests per period; null for the default
	CreatedAt   time.Time `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	CreatedBy   *string   `json:"created_by" example:"ann" extensions:"x-nullable"` // administrator; null for the command line
	ExpiresAt   time.Time `json:"expires_at" format:"date-time" example:"2027-02-19T07:00:00Z"`
	// LastUsedAt is to the minute, and null if the token was never used.
	LastUsedAt *time.Time `json:"last_used_at" format:"date-time" example:"2026-11-21T07:00:00Z" extensions:"x-nullable"`
} // @name ServiceToken

// CreatedServiceTokenDocument is a new service token with its secret.
type CreatedServiceTokenDocument struct {
	ServiceTokenDocument
	Secret string `json:"secret" example:"grt_..." format:"password"` // shown in this answer only
} // @name CreatedServiceToken

// NewServiceTokenBody is the body of a service token's creation.
type NewServiceTokenBody struct {
	Name        string   `json:"name" example:"nightly import" maxLength:"64" validate:"required"`
	Permissions []string `json:"permissions,omitempty" enums:"read,create,edit,delete,query,console" validate:"optional"`
	Roles       []string `json:"roles,omitempty" validate:"optional"`
	ExpiresAt   string   `json:"expires_at,omitempty" format:"date-time" example:"2027-02-19T07:00:00Z" validate:"optional"`
	RateLimit   *int64   `json:"rate_limit,omitempty" example:"5000" extensions:"x-nullable" validate:"optional"`
} // @name NewServiceToken

// ServiceTokenDeletionDocument is the result of a service token's deletion.
type ServiceTokenDeletionDocument struct {
	ID      string `json:"id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name ServiceTokenDeletion
