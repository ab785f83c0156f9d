package httpapi

import (
	"encoding/json"
	"time"
)

// LoginBody is the body of a login.
type LoginBody struct {
	Username string `json:"username" example:"ann" validate:"required"`
	Password string `json:"password" example:"correct horse battery" format:"password" validate:"required"`
} // @name Login

// TokenDocument is the answer to a login, without the envelope.
type TokenDocument struct {
	AccessToken string `json:"access_token" example:"eyJhbGciOi..."`
	TokenType   string `json:"token_type" example:"bearer" enums:"bearer"`
	ExpiresIn   int64  `json:"expires_in" example:"3600"` // seconds
	// Me is the data of GET /api/auth/me, if the login asks for it.
	Me *MeDocument `json:"me,omitempty"`
} // @name Token

// LoginMethodsDocument says how users may log in.
type LoginMethodsDocument struct {
	// Password is false if only the first administrator may log in with a password.
	Password bool `json:"password" example:"true"`
	// OIDC reports whether users may log in by single sign-on.
	OIDC bool `json:"oidc" example:"false"`
} // @name LoginMethods

// LogoutDocument is the result of a logout.
type LogoutDocument struct {
	Revoked bool `json:"revoked" example:"true"`
} // @name Logout

// MeDocument is the user of a token.
type MeDocument struct {
	ID          string   `json:"id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Username    string   `json:"username" example:"ann"`
	Permissions []string `json:"permissions" example:"read,create" enums:"read,create,edit,delete,query,console"`
	Roles       []string `json:"roles" example:"hr"`
	// Effective has what permissions and roles allow together.
	Effective EffectivePermissions `json:"effective"`
	Admin     bool                 `json:"admin" example:"false"`
	ExpiresAt time.Time            `json:"expires_at" format:"date-time" example:"2026-11-21T08:00:00Z"` // of the token
	// SelfApproval reports whether users may approve and reject their own change sets.
	SelfApproval bool `json:"self_approval" example:"false"`
	// ServiceToken reports whether the token is a service token, which cannot log out or change a password.
	ServiceToken bool `json:"service_token" example:"false"`
	// PersonalToken reports whether the token is a personal token, which cannot log out, change a password, make tokens or administer.
	PersonalToken bool `json:"personal_token" example:"false"`
} // @name Me

// EffectivePermissions are the actions that a user may do with some or all entities of a kind.
type EffectivePermissions struct {
	Node []string `json:"node" example:"read,create" enums:"read,create,edit,delete"`
	Edge []string `json:"edge" example:"read" enums:"read,create,edit,delete"`
} // @name EffectivePermissions

// PasswordBody is the body of a change of the user's own password.
type PasswordBody struct {
	CurrentPassword string `json:"current_password" example:"correct horse battery" format:"password" validate:"required"`
	NewPassword     string `json:"new_password" example:"staple of a new battery" format:"password" minLength:"12" maxLength:"256" validate:"required"`
} // @name PasswordChange

// PasswordDocument is the result of a change of the user's own password.
type PasswordDocument struct {
	Changed bool `json:"changed" example:"true"`
} // @name PasswordChanged

// UserDocument is a user in answers to administrators.
type UserDocument struct {
	ID          string          `json:"id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Username    string          `json:"username" example:"ann"`
	Permissions []string        `json:"permissions" example:"read,create" enums:"read,create,edit,delete,query,console"`
	Admin       bool            `json:"admin" example:"false"`
	Disabled    bool            `json:"disabled" example:"false"`
	RateLimit   *int64          `json:"rate_limit" example:"5000" extensions:"x-nullable"` // requests per period; null for the default
	Roles       []string        `json:"roles" example:"hr"`
	Attributes  json.RawMessage `json:"attributes" swaggertype:"object"` // for the conditions of roles
	CreatedAt   time.Time       `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	UpdatedAt   time.Time       `json:"updated_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
} // @name User

// NewUserBody is the body of a user's creation.
type NewUserBody struct {
	Username    string          `json:"username" example:"ann" validate:"required"`
	Password    string          `json:"password" example:"correct horse battery" format:"password" minLength:"12" maxLength:"256" validate:"required"`
	Permissions []string        `json:"permissions,omitempty" enums:"read,create,edit,delete,query,console" validate:"optional"`
	Admin       bool            `json:"admin,omitempty" example:"false" validate:"optional"`
	Disabled    bool            `json:"disabled,omitempty" example:"false" validate:"optional"`
	RateLimit   *int64          `json:"rate_limit,omitempty" example:"5000" extensions:"x-nullable" validate:"optional"`
	Roles       []string        `json:"roles,omitempty" example:"hr" validate:"optional"`
	Attributes  json.RawMessage `json:"attributes,omitempty" swaggertype:"object" validate:"optional"`
} // @name NewUser

// UserChangeBody is the body of a user's update.
type UserChangeBody struct {
	Password    string   `json:"password,omitempty" example:"correct horse battery" format:"password" minLength:"12" maxLength:"256" validate:"optional"`
	Permissions []string `json:"permissions,omitempty" enums:"read,create,edit,delete,query,console" validate:"optional"`
	Admin       bool     `json:"admin,omitempty" example:"false" validate:"optional"`
	Disabled    bool     `json:"disabled,omitempty" example:"false" validate:"optional"`
	// RateLimit null restores the default.
	RateLimit  *int64          `json:"rate_limit,omitempty" example:"5000" extensions:"x-nullable" validate:"optional"`
	Roles      []string        `json:"roles,omitempty" example:"hr" validate:"optional"`              // replaced as a whole
	Attributes json.RawMessage `json:"attributes,omitempty" swaggertype:"object" validate:"optional"` // replaced as a whole
} // @name UserChange

// UserDeletionDocument is the result of a user's deletion.
type UserDeletionDocument struct {
	Username string `json:"username" example:"ann"`
	Deleted  bool   `json:"deleted" example:"true"`
} // @name UserDeletion

// HealthDocument is the answer to a probe.
type HealthDocument struct {
	Status string `json:"status" example:"ok"`
} // @name Health
