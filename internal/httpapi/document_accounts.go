package httpapi

import "time"

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
} // @name Token

// LogoutDocument is the result of a logout.
type LogoutDocument struct {
	Revoked bool `json:"revoked" example:"true"`
} // @name Logout

// LogoutAnswer is a LogoutDocument in the envelope.
type LogoutAnswer struct {
	Data LogoutDocument `json:"data"`
	Meta Meta           `json:"meta"`
} // @name LogoutAnswer

// MeDocument is the user of a token.
type MeDocument struct {
	ID          string    `json:"id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Username    string    `json:"username" example:"ann"`
	Permissions []string  `json:"permissions" example:"read,create" enums:"read,create,edit,delete"`
	Admin       bool      `json:"admin" example:"false"`
	ExpiresAt   time.Time `json:"expires_at" format:"date-time" example:"2026-11-21T08:00:00Z"` // of the token
} // @name Me

// MeAnswer is a MeDocument in the envelope.
type MeAnswer struct {
	Data MeDocument `json:"data"`
	Meta Meta       `json:"meta"`
} // @name MeAnswer

// PasswordBody is the body of a change of the user's own password.
type PasswordBody struct {
	CurrentPassword string `json:"current_password" example:"correct horse battery" format:"password" validate:"required"`
	NewPassword     string `json:"new_password" example:"staple of a new battery" format:"password" minLength:"12" maxLength:"256" validate:"required"`
} // @name PasswordChange

// PasswordDocument is the result of a change of the user's own password.
type PasswordDocument struct {
	Changed bool `json:"changed" example:"true"`
} // @name PasswordChanged

// PasswordAnswer is a PasswordDocument in the envelope.
type PasswordAnswer struct {
	Data PasswordDocument `json:"data"`
	Meta Meta             `json:"meta"`
} // @name PasswordAnswer

// UserDocument is a user in answers to administrators.
type UserDocument struct {
	ID          string    `json:"id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Username    string    `json:"username" example:"ann"`
	Permissions []string  `json:"permissions" example:"read,create" enums:"read,create,edit,delete"`
	Admin       bool      `json:"admin" example:"false"`
	Disabled    bool      `json:"disabled" example:"false"`
	RateLimit   *int64    `json:"rate_limit" example:"5000" extensions:"x-nullable"` // requests per period; null for the default
	CreatedAt   time.Time `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	UpdatedAt   time.Time `json:"updated_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
} // @name User

// NewUserBody is the body of a user's creation.
type NewUserBody struct {
	Username    string   `json:"username" example:"ann" validate:"required"`
	Password    string   `json:"password" example:"correct horse battery" format:"password" minLength:"12" maxLength:"256" validate:"required"`
	Permissions []string `json:"permissions,omitempty" example:"read,create" enums:"read,create,edit,delete" validate:"optional"`
	Admin       bool     `json:"admin,omitempty" example:"false" validate:"optional"`
	Disabled    bool     `json:"disabled,omitempty" example:"false" validate:"optional"`
	RateLimit   *int64   `json:"rate_limit,omitempty" example:"5000" extensions:"x-nullable" validate:"optional"`
} // @name NewUser

// UserChangeBody is the body of a user's update.
type UserChangeBody struct {
	Password    string   `json:"password,omitempty" example:"correct horse battery" format:"password" minLength:"12" maxLength:"256" validate:"optional"`
	Permissions []string `json:"permissions,omitempty" example:"read,create,edit" enums:"read,create,edit,delete" validate:"optional"`
	Admin       bool     `json:"admin,omitempty" example:"false" validate:"optional"`
	Disabled    bool     `json:"disabled,omitempty" example:"false" validate:"optional"`
	RateLimit   *int64   `json:"rate_limit,omitempty" example:"5000" extensions:"x-nullable" validate:"optional"` // null restores the default
} // @name UserChange

// UserAnswer is a user in the envelope.
type UserAnswer struct {
	Data UserDocument `json:"data"`
	Meta Meta         `json:"meta"`
} // @name UserAnswer

// UserListAnswer is a page of users.
type UserListAnswer struct {
	Data []UserDocument `json:"data"`
	Meta PageMeta       `json:"meta"`
} // @name UserListAnswer

// UserDeletionDocument is the result of a user's deletion.
type UserDeletionDocument struct {
	Username string `json:"username" example:"ann"`
	Deleted  bool   `json:"deleted" example:"true"`
} // @name UserDeletion

// UserDeletionAnswer is a UserDeletionDocument in the envelope.
type UserDeletionAnswer struct {
	Data UserDeletionDocument `json:"data"`
	Meta Meta                 `json:"meta"`
} // @name UserDeletionAnswer

// HealthDocument is the answer to a probe.
type HealthDocument struct {
	Status string `json:"status" example:"ok"`
} // @name Health

// HealthAnswer is a HealthDocument in the envelope.
type HealthAnswer struct {
	Data HealthDocument `json:"data"`
	Meta Meta           `json:"meta"`
} // @name HealthAnswer
