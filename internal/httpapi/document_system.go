package httpapi

import "time"

// SystemDocument describes the gateway that answers.
type SystemDocument struct {
	Version   string             `json:"version" example:"1.0.0"`
	StartedAt time.Time          `json:"started_at" example:"2026-11-21T07:00:00Z"`
	NotReady  []NotReadyDocument `json:"not_ready"` // why /readyz answers 503; empty if it does not
	Settings  []SettingDocument  `json:"settings"`
} // @name System

// NotReadyDocument is a part of the service that cannot be used.
type NotReadyDocument struct {
	Part    string `json:"part" example:"database"`
	Message string `json:"message" example:"does not answer"`
} // @name NotReady

// SettingDocument is a setting with the value in use.
type SettingDocument struct {
	Name   string `json:"name" example:"GRAPHREST_QUERY_TIMEOUT"`
	Value  string `json:"value" example:"15s"`      // [redacted] for a secret
	Source string `json:"source" example:"default"` // default, file, environment or flag; empty for a setting without a value
} // @name Setting
