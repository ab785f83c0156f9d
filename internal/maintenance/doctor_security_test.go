package maintenance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// The tests have no server with plug-ins; the names are those that APOC 5.26 registers.
func TestDiagnosePlugins(t *testing.T) {
	for name, c := range map[string]struct {
		names []string
		list  string
		level graph.Level
		want  string
	}{
		"none, no list": {nil, "*", graph.Note, "no allow-list is set"},
		"none, a list":  {nil, "db.labels", "", ""},
		"APOC": {[]string{"apoc.algo.aStar", "apoc.load.json"}, "*", graph.Warning, "1 of them reach files or addresses or " +
			"run statements, such as apoc.load.json"},
		"one that is allowed": {[]string{"apoc.algo.aStar"}, "apoc.algo.*", graph.Warning, "1 procedures and functions of plug-ins " +
			"can be called"},
	} {
		t.Run(name, func(t *testing.T) {
			var d graph.Diagnosis
			diagnosePlugins(c.names, map[string]string{settingAllowList: c.list}, &d)
			if c.want == "" {
				require.Empty(t, d.Findings)
				return
			}
			require.Len(t, d.Findings, 1)
			require.Equal(t, c.level, d.Findings[0].Level)
			require.Contains(t, d.Findings[0].Message, c.want)
			require.Contains(t, d.Findings[0].Remedy, settingAllowList)
		})
	}
}
