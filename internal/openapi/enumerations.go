package openapi

import (
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"

	"graphrest/internal/audit"
)

// addAuditEnumerations sets the values of the members of an audit entry, and of the parameters that select entries by them, to the
// constants of the package audit.
func addAuditEnumerations(doc *openapi3.T) error {
	members := doc.Components.Schemas["AuditEntry"].Value.Properties
	parameters := doc.Paths.Value("/api/admin/audit").GetOperation(http.MethodGet).Parameters
	for name, values := range map[string][]string{"action": audit.Actions(), "kind": audit.Kinds(), "outcome": audit.Outcomes()} {
		member, parameter := members[name], parameters.GetByInAndName(openapi3.ParameterInQuery, name)
		if member == nil || parameter == nil {
			return fmt.Errorf("audit entries need a member %s, and a query parameter of this name", name)
		}
		for _, schema := range []*openapi3.Schema{member.Value, parameter.Schema.Value} {
			for _, value := range values {
				schema.Enum = append(schema.Enum, value)
			}
		}
	}
	return nil
}
