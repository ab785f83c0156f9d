package httpapi

import "time"

// SystemDocument describes the gateway that answers.
type SystemDocument struct {
	Version   string             `json:"version" example:"1.0.0"`
	StartedAt time.Time          `json:"started_at" example:"2026-11-21T07:00:00Z"`
	NotReady  []NotReadyDocument `json:"not_ready"` // why /readyz answers 503; empty if it does not
	Settings  []SettingDocument  `json:"settings"`
	// null: it is not configured
	SingleSignOn *SingleSignOnDocument `json:"single_sign_on" extensions:"x-nullable"`
} // @name System

// SingleSignOnDocument is how the gateway that answers last reached the identity provider.
type SingleSignOnDocument struct {
	Issuer    string                  `json:"issuer" example:"https://login.example"`
	Discovery ProviderContactDocument `json:"discovery"` // the discovery document
	Keys      ProviderContactDocument `json:"keys"`      // the keys of signatures, which the first login reads
} // @name SingleSignOn

// ProviderContactDocument says when a document of the identity provider was read.
type ProviderContactDocument struct {
	// null: not yet
	ReadAt *time.Time `json:"read_at" format:"date-time" example:"2026-11-21T07:00:00Z" extensions:"x-nullable"`
	// null unless the last attempt failed
	FailedAt *time.Time `json:"failed_at" format:"date-time" example:"2026-11-21T07:00:00Z" extensions:"x-nullable"`
} // @name ProviderContact

// NotReadyDocument is a part of the service that cannot be used.
type NotReadyDocument struct {
	Part    string `json:"part" example:"database"`
	Message string `json:"message" example:"does not answer"`
} // @name NotReady

// FindingsDocument is what a check of the database found.
type FindingsDocument struct {
	CheckedAt  time.Time         `json:"checked_at" format:"date-time" example:"2026-11-21T07:00:00Z"`
	Version    string            `json:"version" example:"5.26.30"` // of Neo4j
	Edition    string            `json:"edition" example:"community"`
	ClockAhead float64           `json:"clock_ahead_seconds" example:"0.1"` // of the database, before this gateway's
	Findings   []FindingDocument `json:"findings"`                          // the most severe first
} // @name Findings

// FindingDocument is one finding.
type FindingDocument struct {
	Level   string  `json:"level" example:"warning" enums:"problem,warning,note"` // a problem prevents part of the gateway's work
	Subject string  `json:"subject" example:"clock"`
	Message string  `json:"message" example:"the database's clock is 7s apart from this machine's"`
	Remedy  *string `json:"remedy" example:"synchronise both clocks (NTP)" extensions:"x-nullable"`
} // @name Finding

// SizesDocument is what is in the database. The database does not report bytes.
type SizesDocument struct {
	// with the gateway's own; null without the permission read
	Nodes   *int64               `json:"nodes" example:"120000" extensions:"x-nullable"`
	Edges   *int64               `json:"edges" example:"480000" extensions:"x-nullable"` // null without the permission read
	History *HistorySizeDocument `json:"history" extensions:"x-nullable"`                // null: changes are not recorded
	Audit   *AuditSizeDocument   `json:"audit" extensions:"x-nullable"`                  // null: this gateway does not show the audit
} // @name Sizes

// HistorySizeDocument is what the records of changes take.
type HistorySizeDocument struct {
	Records int64 `json:"records" example:"5200"`
	// about what they take in the database, without those of the last seconds; null without the permission read
	Bytes       *int64 `json:"bytes" example:"7340032" extensions:"x-nullable"`
	MaxBytes    int64  `json:"max_bytes" example:"1073741824"` // beyond it the oldest are removed (GRAPHREST_HISTORY_MAX_BYTES)
	KeepSeconds int64  `json:"keep_seconds" example:"7776000"` // older ones are removed (GRAPHREST_HISTORY_KEEP)
	// null: there are none, or only those of the last seconds
	OldestAt *time.Time `json:"oldest_at" format:"date-time" example:"2026-11-21T07:00:00Z" extensions:"x-nullable"`
} // @name HistorySize

// AuditSizeDocument is how many entries the audit has. One may have many lines.
type AuditSizeDocument struct {
	Entries     int64 `json:"entries" example:"9100"`
	KeepSeconds int64 `json:"keep_seconds" example:"7776000"` // older ones are removed (GRAPHREST_AUDIT_KEEP)
	// null: there are none
	OldestAt *time.Time `json:"oldest_at" format:"date-time" example:"2026-11-21T07:00:00Z" extensions:"x-nullable"`
} // @name AuditSize

// SettingDocument is a setting with the value in use.
type SettingDocument struct {
	Name   string `json:"name" example:"GRAPHREST_QUERY_TIMEOUT"`
	Value  string `json:"value" example:"15s"`      // [redacted] for a secret
	Source string `json:"source" example:"default"` // default, file, environment or flag; empty for a setting without a value
} // @name Setting
