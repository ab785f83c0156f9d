// Package openapi holds the OpenAPI 3.0.3 description of the service, which the binary carries and serves.
package openapi

import _ "embed"

//go:generate go run ../../cmd/openapi -root ../.. -out openapi.json

// Document is the description as JSON text. It is generated from the handlers' annotations.
//
//go:embed openapi.json
var Document []byte
