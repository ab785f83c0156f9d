package httpapi

import "time"

// AuditDocument is one entry of the audit log.
type AuditDocument struct {
	At               time.Time `json:"at" format:"date-time" example:"2026-11-21T07:00:00.123Z"` // by the database's clock
	User             *string   `json:"user" example:"ann" extensions:"x-nullable"`               // null if unknown, and for the service itself
	UserID           *string   `json:"user_id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b" extensions:"x-nullable"`
	Action           string    `json:"action" example:"update" enums:"create,update,delete,import,login,logout,request"`
	Kind             string    `json:"kind" example:"node" enums:"node,edge,user,type,search_index,index,session,route"`
	Entity           *string   `json:"entity" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d" extensions:"x-nullable"` // an id; for a session the token's id, for a route its method and path; null for lines of an import that are only counted
	Name             *string   `json:"name" example:"Person" extensions:"x-nullable"`                                 // the type of a node or an edge, the name of a user
	Fields           []string  `json:"fields" example:"name,born"`                                                    // what an update gave; as many as fit
	Outcome          string    `json:"outcome" example:"done" enums:"done,refused"`
	Code             *string   `json:"code" example:"PERMISSION_DENIED" extensions:"x-nullable"` // why it was refused
	Count            int64     `json:"count" example:"1" minimum:"1"`                            // of lines of an import, and of refusals of a kind
	RequestID        *string   `json:"request_id" example:"5QZK3X5YV7A2M4B6N8C9D0E1F2" extensions:"x-nullable"`
	GatewayRequestID *string   `json:"gateway_request_id" example:"5QZK3X5YV7A2M4B6N8C9D0E1F2" extensions:"x-nullable"` // made by the gateway; equal to request_id unless the client sent that
	Address          *string   `json:"address" example:"192.0.2.7" extensions:"x-nullable"`                             // of the client; "command line" for commands
} // @name AuditEntry

// AuditAnswer is a page of the audit.
type AuditAnswer struct {
	Data []AuditDocument `json:"data"`
	Meta PageMeta        `json:"meta"`
} // @name AuditAnswer
