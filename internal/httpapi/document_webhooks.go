package httpapi

import "time"

// WebhookDocument is a webhook, without its secret.
type WebhookDocument struct {
	Name      string    `json:"name" example:"search"`
	URL       string    `json:"url" example:"https://hooks.example/graph"`
	Kinds     []string  `json:"kinds" example:"node" enums:"node,edge"`                // what is delivered; empty: both
	Types     []string  `json:"types" example:"Person"`                                // empty: all
	Actions   []string  `json:"actions" example:"create" enums:"create,update,delete"` // empty: all
	Enabled   bool      `json:"enabled" example:"true"`
	CreatedAt time.Time `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	UpdatedAt time.Time `json:"updated_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
} // @name Webhook

// NewWebhookDocument is a webhook that was just created or given a new secret.
type NewWebhookDocument struct {
	WebhookDocument
	// If it was generated: it is shown once.
	Secret string `json:"secret,omitempty" validate:"optional" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"`
} // @name WebhookWithSecret

// NewWebhookBody is the body of a webhook's creation.
type NewWebhookBody struct {
	Name    string   `json:"name" example:"search" minLength:"1" maxLength:"64" validate:"required"` // letters, digits, "_" and "-"
	URL     string   `json:"url" example:"https://hooks.example/graph" maxLength:"2048" validate:"required"`
	Kinds   []string `json:"kinds,omitempty" example:"node" enums:"node,edge" validate:"optional"`
	Types   []string `json:"types,omitempty" example:"Person" maxItems:"100" validate:"optional"`
	Actions []string `json:"actions,omitempty" example:"create" enums:"create,update,delete" validate:"optional"`
	Enabled bool     `json:"enabled,omitempty" example:"true" default:"true" validate:"optional"`
	// whsec_ and base64 of 24 to 64 bytes; generated if absent.
	Secret string `json:"secret,omitempty" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" validate:"optional"`
} // @name NewWebhook

// WebhookChangeBody is the body of a webhook's update; absent members stay as they are.
type WebhookChangeBody struct {
	Name    string   `json:"name,omitempty" example:"search" validate:"optional"` // cannot be changed
	URL     string   `json:"url,omitempty" example:"https://hooks.example/graph" maxLength:"2048" validate:"optional"`
	Kinds   []string `json:"kinds,omitempty" example:"node" enums:"node,edge" validate:"optional"`
	Types   []string `json:"types,omitempty" example:"Person" maxItems:"100" validate:"optional"`
	Actions []string `json:"actions,omitempty" example:"create" enums:"create,update,delete" validate:"optional"`
	Enabled bool     `json:"enabled,omitempty" example:"true" validate:"optional"`
	// null generates one.
	Secret *string `json:"secret,omitempty" extensions:"x-nullable" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" validate:"optional"`
} // @name WebhookChange

// WebhookDeletionDocument is the result of a webhook's deletion.
type WebhookDeletionDocument struct {
	Name    string `json:"name" example:"search"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name WebhookDeletion

// DeliveryDocument is a change that a webhook has not delivered.
type DeliveryDocument struct {
	ID            string     `json:"id" example:"msg_1763881200123456-42_RHN4"` // the webhook-id of all its attempts
	Change        string     `json:"change" example:"1763881200123456-42"`      // id of the change
	Type          string     `json:"type" example:"node.update"`                // of the payload
	Entity        string     `json:"entity" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	State         string     `json:"state" example:"failed" enums:"pending,failed,dead"`
	Attempts      int64      `json:"attempts" example:"3" minimum:"0"`
	Problem       *string    `json:"problem" example:"the endpoint answered with status 500" extensions:"x-nullable"` // of the last attempt
	CreatedAt     time.Time  `json:"created_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	LastAttemptAt *time.Time `json:"last_attempt_at" format:"date-time" example:"2026-11-21T07:00:35Z" extensions:"x-nullable"`
	// Null for a dead one; a pending one also waits for earlier ones of its entity.
	NextAttemptAt *time.Time `json:"next_attempt_at" format:"date-time" example:"2026-11-21T07:01:15Z" extensions:"x-nullable"`
} // @name Delivery

// RetryDocument is the result of a request to retry a delivery.
type RetryDocument struct {
	ID    string `json:"id" example:"msg_1763881200123456-42_RHN4"`
	State string `json:"state" example:"pending" enums:"pending"`
} // @name DeliveryRetry
