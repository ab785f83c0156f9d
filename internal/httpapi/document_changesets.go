package httpapi

// NewChangeSet is the body of a proposal.
type NewChangeSet struct {
	Title       string           `json:"title" validate:"required" minLength:"1" maxLength:"200" example:"Correct the birthdays"`
	Description string           `json:"description,omitempty" validate:"optional" maxLength:"10000"`
	Operations  []BatchOperation `json:"operations" validate:"required"`
} // @name NewChangeSet

// ChangeSetEdit replaces members of a change set. It has at least one.
type ChangeSetEdit struct {
	Title       string           `json:"title,omitempty" validate:"optional" minLength:"1" maxLength:"200" example:"Correct the birthdays"`
	Description string           `json:"description,omitempty" validate:"optional" maxLength:"10000"`
	Operations  []BatchOperation `json:"operations,omitempty" validate:"optional"`
} // @name ChangeSetEdit

// ChangeSetDocument is a change set. Without the permission read, only id, status and changes are answered. It is for the OpenAPI
// description only, as are the following ones: package changeset writes them.
type ChangeSetDocument struct {
	ID          string             `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Title       string             `json:"title" validate:"optional" example:"Correct the birthdays"`
	Description string             `json:"description" validate:"optional"`
	Status      string             `json:"status" example:"open" enums:"open,approved,applied,rejected,withdrawn"`
	Version     int64              `json:"version" validate:"optional" example:"1"` // grows with each edit and each change of the status
	Author      string             `json:"author" validate:"optional" example:"ann"`
	AuthorID    string             `json:"author_id" validate:"optional" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	CreatedAt   string             `json:"created_at" validate:"optional" format:"date-time" example:"2026-11-22T07:00:00.123Z"`
	UpdatedAt   string             `json:"updated_at" validate:"optional" format:"date-time" example:"2026-11-22T07:00:00.123Z"`
	Operations  []BatchOperation   `json:"operations" validate:"optional"`
	Events      []ChangeSetEvent   `json:"events" validate:"optional"` // oldest first; consecutive edits are one
	Comments    []ChangeSetComment `json:"comments" validate:"optional"`
	Changes     []string           `json:"changes" example:"1763881200123457-43"` // ids of the recorded changes of an applied one
} // @name ChangeSet

// ChangeSetEvent is what somebody did with a change set.
type ChangeSetEvent struct {
	At     string `json:"at" format:"date-time" example:"2026-11-22T07:00:00.123Z"`
	User   string `json:"user" example:"ann"`
	UserID string `json:"user_id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Action string `json:"action" example:"approve" enums:"propose,edit,approve,reject,withdraw,apply"`
} // @name ChangeSetEvent

// NewChangeSetComment is the body of a comment.
type NewChangeSetComment struct {
	Text string `json:"text" validate:"required" minLength:"1" maxLength:"4096" example:"Where is this from?"`
} // @name NewChangeSetComment

// ChangeSetComment is a comment.
type ChangeSetComment struct {
	ID     string `json:"id" example:"5QZK3X5YV7A2M4B6N8C9D0E1F2"`
	At     string `json:"at" format:"date-time" example:"2026-11-22T07:00:00.123Z"`
	User   string `json:"user" example:"ann"`
	UserID string `json:"user_id" example:"7f0c6a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b"`
	Text   string `json:"text" example:"Where is this from?"`
} // @name ChangeSetComment

// ChangeSetDiff is what a change set would change.
type ChangeSetDiff struct {
	Entities   []ChangeSetEntity    `json:"entities"`
	Violations []ChangeSetViolation `json:"violations"` // of declared types and of unique keys
} // @name ChangeSetDiff

// ChangeSetEntity is a node or an edge that operations concern. It has an id, or a ref if it is new.
type ChangeSetEntity struct {
	Kind      string             `json:"kind" example:"node" enums:"node,edge"`
	ID        string             `json:"id,omitempty" validate:"optional" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Ref       *string            `json:"ref,omitempty" validate:"optional" example:"ann" extensions:"x-nullable"` // null: it has none
	Operation int                `json:"operation" example:"0" minimum:"0"`                                       // the first that concerns it
	Type      *string            `json:"type" example:"Person" extensions:"x-nullable"`
	Status    string             `json:"status" example:"changed" enums:"added,changed,removed,unchanged"`
	Before    *ChangeSetState    `json:"before" extensions:"x-nullable"`
	After     *ChangeSetState    `json:"after" extensions:"x-nullable"`
	Conflict  *ChangeSetConflict `json:"conflict" extensions:"x-nullable"` // why the change set could not be applied now
} // @name ChangeSetEntity

// ChangeSetState is a whole node or edge. An end that is a new node is {"ref": name}.
type ChangeSetState struct {
	ID         string         `json:"id,omitempty" validate:"optional"`
	Type       *string        `json:"type" extensions:"x-nullable"`
	Labels     []string       `json:"labels,omitempty" validate:"optional"`
	SourceID   any            `json:"source_id,omitempty" validate:"optional"`
	TargetID   any            `json:"target_id,omitempty" validate:"optional"`
	Properties map[string]any `json:"properties" swaggertype:"object"`
} // @name ChangeSetState

// ChangeSetViolation is a violation of a declared type.
type ChangeSetViolation struct {
	Field   string `json:"field" example:"operations[0].properties.name"`
	Message string `json:"message" example:"is required"`
} // @name ChangeSetViolation

// ChangeSetConflict is an entity that is not what an operation was based on.
type ChangeSetConflict struct {
	Field    string  `json:"field" example:"operations[0]"`
	ID       *string `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d" extensions:"x-nullable"`
	Expected *string `json:"expected" extensions:"x-nullable"` // ETag; null if it did not exist, or without the permission read
	Found    *string `json:"found" extensions:"x-nullable"`    // ETag; null if it does not exist, or without the permission read
	Message  string  `json:"message" example:"was changed since"`
} // @name ChangeSetConflict

// ChangeSetConflictMeta is beside the error of a change set that could not be applied because of conflicts.
type ChangeSetConflictMeta struct {
	Conflicts []ChangeSetConflict `json:"conflicts"`
} // @name ChangeSetConflictMeta
