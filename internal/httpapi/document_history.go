package httpapi

// Change is one create, update or delete of a node or an edge. It is for the OpenAPI description only: package journal writes it.
type Change struct {
	ID        string      `json:"id" example:"1763881200123456-42"` // of one entity, ids sort in the order of the changes
	At        string      `json:"at" format:"date-time" example:"2026-11-22T07:00:00.123456Z"`
	User      *string     `json:"user" example:"ann" extensions:"x-nullable"`
	UserID    *string     `json:"user_id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b" extensions:"x-nullable"`
	RequestID *string     `json:"request_id" example:"5QZK3X5YV7A2M4B6N8C9D0E1F2" extensions:"x-nullable"`
	Action    string      `json:"action" example:"update" enums:"create,update,delete"`
	Kind      string      `json:"kind" example:"node" enums:"node,edge"`
	Entity    string      `json:"entity" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"` // id of the node or edge
	Type      *string     `json:"type" example:"Person" extensions:"x-nullable"`
	Before    *ChangeSide `json:"before" extensions:"x-nullable"` // null for a create, and if the user does not see that state
	After     *ChangeSide `json:"after" extensions:"x-nullable"`  // null for a delete, and if the user does not see that state
	Cause     *Cause      `json:"cause" extensions:"x-nullable"`
	Gap       bool        `json:"gap" example:"false"` // the entity was changed outside the gateway since the previous recorded change
} // @name RecordedChange

// ChangeSide is the whole node or edge, or for an update the properties that changed, with null for an absent one.
type ChangeSide struct {
	ID         string         `json:"id,omitempty" validate:"optional"`
	Type       *string        `json:"type,omitempty" validate:"optional" extensions:"x-nullable"`
	Labels     []string       `json:"labels,omitempty" validate:"optional"`
	SourceID   string         `json:"source_id,omitempty" validate:"optional"`
	TargetID   string         `json:"target_id,omitempty" validate:"optional"`
	Properties map[string]any `json:"properties" swaggertype:"object"`
} // @name ChangeSide

// Cause is what a change was part of; it has one member.
type Cause struct {
	Undo        string `json:"undo,omitempty" validate:"optional"`         // what was undone
	ChangeSet   string `json:"changeset,omitempty" validate:"optional"`    // the change set that was applied
	Import      string `json:"import,omitempty" validate:"optional"`       // the request id of the import
	DeletedWith string `json:"deleted_with,omitempty" validate:"optional"` // the node that the edge was deleted with
} // @name Cause

// FeedAnswer is a page of the change feed.
type FeedAnswer struct {
	Data []Change `json:"data"`
	Meta FeedMeta `json:"meta"`
} // @name FeedAnswer

// FeedMeta is Meta with the page of the feed.
type FeedMeta struct {
	Meta
	Page FeedPageInfo `json:"page"`
} // @name FeedMeta

// FeedPageInfo describes a page of the feed.
type FeedPageInfo struct {
	Limit      int    `json:"limit" example:"100" minimum:"1" maximum:"1000"`
	HasMore    bool   `json:"has_more" example:"false"`
	NextCursor string `json:"next_cursor" example:"1763881200123456-42.7"` // the since of the next request, also if the page is empty
} // @name FeedPageInfo

// DeletedEntity is an entry of the trash.
type DeletedEntity struct {
	Change    string  `json:"change" example:"1763881200123456-42"` // id of the change, for POST /api/undo
	Kind      string  `json:"kind" example:"node" enums:"node,edge"`
	ID        string  `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Type      *string `json:"type" example:"Person" extensions:"x-nullable"`
	DeletedAt string  `json:"deleted_at" format:"date-time" example:"2026-11-22T07:00:00.123456Z"`
	User      *string `json:"user" example:"ann" extensions:"x-nullable"`
	Edges     int64   `json:"edges" example:"3" minimum:"0"` // that were deleted with a node, as far as the user sees them
	// Caption is that of what was deleted, by the property that names it.
	Caption *string `json:"caption" example:"Ann" maxLength:"120" extensions:"x-nullable"`
} // @name DeletedEntity

// UndoBody selects what is undone: exactly one of the first four members is required.
type UndoBody struct {
	Change     string `json:"change,omitempty" validate:"optional" maxLength:"1024" example:"1763881200123456-42"` // id of a change
	RequestID  string `json:"request_id,omitempty" validate:"optional" maxLength:"1024"`                           // X-Request-ID of a request
	Import     string `json:"import,omitempty" validate:"optional" maxLength:"1024"`                               // X-Request-ID of an import
	ChangeSet  string `json:"changeset,omitempty" validate:"optional" maxLength:"1024"`                            // id of a change set
	DryRun     bool   `json:"dry_run,omitempty" validate:"optional" example:"false"`
	OnConflict string `json:"on_conflict,omitempty" validate:"optional" enums:"fail,skip" example:"fail"`
} // @name Undo

// Undone is the result of an undo.
type Undone struct {
	Undone  int                `json:"undone" example:"4"` // changes reversed: a node with 3 edges is 4
	Skipped []ConflictDocument `json:"skipped"`
	Changes []string           `json:"changes" example:"1763881200123457-43"` // ids of the new changes; empty for a dry run
	// from old to new element ids of restored entities without their own id; a dry run does not know the new ones, which are empty
	IDs map[string]string `json:"ids"`
} // @name Undone

// ConflictDocument is an entity that is not what a change left.
type ConflictDocument struct {
	ID       string  `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Expected *string `json:"expected" extensions:"x-nullable"` // ETag; null if the entity should not exist, or the user does not see it so
	Found    *string `json:"found" extensions:"x-nullable"`    // ETag; null if the entity does not exist for the user
	Message  string  `json:"message" example:"was changed since"`
} // @name UndoConflict

// ConflictMeta is beside the error of an undo that met conflicts.
type ConflictMeta struct {
	Conflicts []ConflictDocument `json:"conflicts"`
} // @name ConflictMeta

// ErasedHistory is the result of erasing the history of an entity.
type ErasedHistory struct {
	ID     string `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Erased int64  `json:"erased" example:"7" minimum:"0"` // records
} // @name ErasedHistory
