package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
)

// TestDescriptionListsTheAudit: the description's entries and parameters name every action and kind that the audit records.
func TestDescriptionListsTheAudit(t *testing.T) {
	doc := description(t)
	properties := doc.Components.Schemas["AuditEntry"].Value.Properties
	parameters := doc.Paths.Value("/api/admin/audit").Get.Parameters
	for member, want := range map[string][]string{"action": audit.Actions(), "kind": audit.Kinds()} {
		values := make([]any, len(want))
		for i, v := range want {
			values[i] = v
		}
		require.ElementsMatch(t, values, properties[member].Value.Enum, "the schema's %s", member)
		parameter := parameters.GetByInAndName("query", member)
		require.NotNil(t, parameter, member)
		require.ElementsMatch(t, values, parameter.Schema.Value.Enum, "the parameter %s", member)
	}
}
