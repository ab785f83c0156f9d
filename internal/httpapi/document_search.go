package httpapi

// SearchHit is an entity that was found: a node or an edge, as kind says.
type SearchHit struct {
	Kind    string   `json:"kind" example:"node" enums:"node,edge"`
	Score   float64  `json:"score" example:"1.7"`    // comparable within one answer only
	Matched []string `json:"matched" example:"name"` // the properties that contain at least one of the words
	Node    *Node    `json:"node,omitempty" validate:"optional"`
	Edge    *Edge    `json:"edge,omitempty" validate:"optional"`
} // @name SearchHit

// SearchIndexDocument is a full-text index.
type SearchIndexDocument struct {
	Name       string   `json:"name" example:"places"`
	Kind       string   `json:"kind" example:"node" enums:"node,edge"`
	Types      []string `json:"types" example:"Airport,City"`
	Properties []string `json:"properties" example:"name,code"`
	Analyzer   string   `json:"analyzer" example:"standard-no-stop-words"`
	State      string   `json:"state" example:"online" enums:"building,online,failed"`
	Progress   float64  `json:"progress" example:"100" minimum:"0" maximum:"100"` // of building, in percent
	// false for an index that was created in Cypher, which this API does not delete
	Managed bool `json:"managed" example:"true"`
} // @name SearchIndex

// NewSearchIndexBody is the body of a search index's creation.
type NewSearchIndexBody struct {
	Name       string   `json:"name" example:"places" minLength:"1" maxLength:"64" validate:"required"` // letters, digits, "_" and "-"
	Kind       string   `json:"kind" example:"node" enums:"node,edge" validate:"required"`
	Types      []string `json:"types" example:"Airport,City" minItems:"1" maxItems:"100" validate:"required"`
	Properties []string `json:"properties" example:"name,code" minItems:"1" maxItems:"30" validate:"required"`
	// an analyzer of the database; the database's default if absent
	Analyzer string `json:"analyzer,omitempty" example:"standard-no-stop-words" validate:"optional"`
} // @name NewSearchIndex

// SearchIndexDeletionDocument is the result of a search index's deletion.
type SearchIndexDeletionDocument struct {
	Name    string `json:"name" example:"places"`
	Deleted bool   `json:"deleted" example:"true"`
} // @name SearchIndexDeletion
