package httpapi

// ImportProgress is the progress of an import.
type ImportProgress struct {
	Lines   int64        `json:"lines" example:"2000"` // processed so far, from the start of the body
	Created int64        `json:"created" example:"1990"`
	Updated int64        `json:"updated" example:"0"`
	Skipped int64        `json:"skipped" example:"0"`
	Failed  int64        `json:"failed" example:"10"`
	Nodes   ImportedKind `json:"nodes"`
	Edges   ImportedKind `json:"edges"`
} // @name ImportProgress

// ImportedKind counts nodes or edges. Lines that could not be parsed as either are not counted.
type ImportedKind struct {
	Created int64 `json:"created" example:"990"`
	Updated int64 `json:"updated" example:"0"`
	Skipped int64 `json:"skipped" example:"0"`
	Failed  int64 `json:"failed" example:"5"`
} // @name ImportedKind

// ImportCounts is the result of an import.
type ImportCounts struct {
	ImportProgress
	Errors []LineError `json:"errors"` // of the first 100 lines that failed
} // @name ImportCounts

// LineError is the error of one line of an import.
type LineError struct {
	Line    int64         `json:"line" example:"17"`
	Code    string        `json:"code" example:"VALIDATION_ERROR"`
	Message string        `json:"message" example:"Invalid input"`
	Details []ErrorDetail `json:"details"`
} // @name LineError
