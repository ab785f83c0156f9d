package httpapi

// BatchBody is the body of a batch. overlay.json of package openapi describes the operations.
type BatchBody struct {
	Operations []BatchOperation `json:"operations" validate:"required"`
} // @name Batch

// BatchOperation is one operation of a batch.
type BatchOperation struct {
	Op string `json:"op" validate:"required"`
} // @name BatchOperation

// BatchResult is the result of one operation.
type BatchResult struct {
	Op   string         `json:"op" example:"create_node" enums:"create_node,create_edge,update_node,update_edge,delete_node,delete_edge"`
	ID   string         `json:"id" example:"01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d"`
	Ref  string         `json:"ref,omitempty" example:"ann" validate:"optional"` // of the operation, if it has one
	Data map[string]any `json:"data" swaggertype:"object"`                       // what the single request answers
} // @name BatchResult

// BatchResults are the results of a batch.
type BatchResults struct {
	Applied bool          `json:"applied" example:"true"` // false for a dry run
	Results []BatchResult `json:"results"`                // one for each operation, in their order
} // @name BatchResults
