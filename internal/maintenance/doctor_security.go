package maintenance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// Settings of the server that determine what a statement can access.
const (
	settingAuth         = "dbms.security.auth_enabled"
	settingAllowList    = "dbms.security.procedures.allowlist"
	settingUnrestricted = "dbms.security.procedures.unrestricted"
	settingFiles        = "dbms.security.allow_csv_import_from_file_urls"
	settingImport       = "server.directories.import"
)

// securityGuide explains the remedies.
const securityGuide = "docs/database-account.md"

// diagnoseSecurity reports what the connection to the database and the database's server leave open. None of it keeps the gateway from
// working.
func (s *Store) diagnoseSecurity(ctx context.Context, d *graph.Diagnosis) error {
	if risk := s.client.TransportRisk(); risk != "" {
		addFinding(d, graph.Warning, "transport", "%s", risk).Remedy = bolt.TransportRemedy
	}
	settings, err := s.serverSettings(ctx)
	if err != nil {
		return err
	}
	if len(settings) == 0 {
		addFinding(d, graph.Note, "settings",
			"the account may not read the server's settings: whether files can be read and plug-ins called was not checked").
			Remedy = "see " + securityGuide
	}
	diagnoseSettings(settings, d)
	plugins, err := s.pluginNames(ctx)
	if err != nil {
		return err
	}
	diagnosePlugins(plugins, settings, d)
	return nil
}

func (s *Store) serverSettings(ctx context.Context) (map[string]string, error) {
	names := []string{settingAuth, settingAllowList, settingUnrestricted, settingFiles, settingImport}
	records, err := s.client.ReadRows(ctx, cypher.DoctorSettings.Text(nil), map[string]any{"names": names})
	if err != nil {
		if strings.HasSuffix(bolt.Code(err), "Forbidden") {
			return nil, nil
		}
		return nil, bolt.Translate(err)
	}
	settings := make(map[string]string, len(records))
	for _, r := range records {
		settings[bolt.Column[string](r, "name")] = bolt.Column[string](r, "value")
	}
	return settings, nil
}

func diagnoseSettings(settings map[string]string, d *graph.Diagnosis) {
	if settings[settingAuth] == "false" {
		addFinding(d, graph.Warning, "login", "the database requires no password").Remedy = "set " + settingAuth + "=true"
	}
	if settings[settingFiles] == "true" {
		below := settings[settingImport]
		if below == "" {
			below = "/"
		}
		addFinding(d, graph.Warning, "files", "LOAD CSV can read every file below %s on the database's server", below).
			Remedy = "set " + settingFiles + "=false; see " + securityGuide
	}
	if list := settings[settingUnrestricted]; list != "" {
		addFinding(d, graph.Warning, "procedures", "plug-ins named %s bypass all access control", list).
			Remedy = "leave " + settingUnrestricted + " empty"
	}
}

// builtInPrefixes begin the names of the server's own procedures. The allow-list does not apply to them.
var builtInPrefixes = []string{"db.", "dbms.", "tx.", "fleetManagement."}

// pluginNames are the procedures and functions of plug-ins.
func (s *Store) pluginNames(ctx context.Context) ([]string, error) {
	var names []string
	for _, statement := range []cypher.Statement{cypher.DoctorProcedures, cypher.DoctorFunctions} {
		records, err := s.client.ReadRows(ctx, statement.Text(nil), nil)
		if err != nil {
			return nil, bolt.Translate(err)
		}
		for _, r := range records {
			name := bolt.Column[string](r, "name")
			if !slices.ContainsFunc(builtInPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names, nil
}

// riskyNameParts are parts of the names of plug-ins' procedures, above all of APOC, that access files or addresses, or run Cypher from
// their arguments.
var riskyNameParts = []string{".load.", ".import.", ".export.", ".cypher.", ".periodic.", ".systemdb.", ".trigger.", ".custom."}

func diagnosePlugins(names []string, settings map[string]string, d *graph.Diagnosis) {
	const remedy = "set " + settingAllowList + " to the list in " + securityGuide
	if len(names) == 0 {
		if settings[settingAllowList] == "*" {
			addFinding(d, graph.Note, "procedures", "no allow-list is set: every plug-in that is installed later can be called").Remedy = remedy
		}
		return
	}
	var open []string
	for _, name := range names {
		if slices.ContainsFunc(riskyNameParts, func(part string) bool { return strings.Contains(name, part) }) {
			open = append(open, name)
		}
	}
	message := fmt.Sprintf("%d procedures and functions of plug-ins can be called, of which the gateway needs none", len(names))
	if len(open) > 0 {
		message += fmt.Sprintf("; %d of them reach files or addresses or run statements, such as %s", len(open), open[0])
	}
	addFinding(d, graph.Warning, "procedures", "%s", message).Remedy = remedy
}

// unusedURL is a reserved address without a host (RFC 5737).
const unusedURL = "http://192.0.2.1:9/"

// diagnoseFetching makes the database fetch from an address without a host: the setting that would forbid it is internal and cannot be
// read, but the server names it in its error if it forbids.
func (s *Store) diagnoseFetching(ctx context.Context, d *graph.Diagnosis) {
	_, err := s.client.Read(ctx, cypher.DoctorFetch.Text(nil), map[string]any{"url": unusedURL})
	switch {
	case strings.HasSuffix(bolt.Code(err), "Forbidden"):
	case strings.HasSuffix(bolt.Code(err), "ExternalResourceFailed") && strings.Contains(err.Error(), "is blocked via"):
	case err == nil, strings.HasSuffix(bolt.Code(err), "ExternalResourceFailed"):
		addFinding(d, graph.Warning, "addresses", "LOAD CSV can fetch from addresses that the database's server reaches").Remedy =
			"set internal.dbms.cypher_ip_blocklist=0.0.0.0/0,::/0, and let a firewall end what the server begins; see " + securityGuide
	default:
		addFinding(d, graph.Note, "addresses", "whether LOAD CSV can fetch from addresses could not be determined")
	}
}
