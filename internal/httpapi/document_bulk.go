package httpapi

// ImportProgress is how far an import is.
type ImportProgress struct {
	Lines   int64        `json:"lines" example:"2000"` // handled so far, the first ones of the body
	Created int64        `json:"created" example:"1990"`
	Updated int64        `json:"updated" example:"0"`
	Skipped int64        `json:"skipped" example:"0"`
	Failed  int64        `json:"failed" example:"10"`
	Nodes   ImportedKind `json:"nodes"`
	Edges   ImportedKind `json:"edges"`
} // @name ImportProgress

// ImportedKind counts nodes, or edges. Lines that could not be read as either are not in it.
type ImportedKind struct {
	Created int64 `json:"created" example:"990"`
	Updated int64 `json:"updated" example:"0"`
	Skipped int64 `json:"skipped" example:"0"`
	Failed  int64 `json:"failed" example:"5"`
} // @name ImportedKind

// ImportCounts is what became of an import.
type ImportCounts struct {
	ImportProgress
	Errors []LineError `json:"errors"` // of the first 100 lines that failed
} // @name ImportCounts

// LineError says why a line of an import failed.
type LineError struct {
	Line    int64         `json:"line" example:"17"`
	Code    string        `json:"code" example:"VALIDATION_ERROR"`
	Message string        `json:"message" example:"Invalid input"`
	Details []ErrorDetail `json:"details"`
} // @name LineError

// ImportAnswer is the last line of an import's answer.
type ImportAnswer struct {
	Data ImportCounts `json:"data"`
	Meta Meta         `json:"meta"`
} // @name ImportAnswer
