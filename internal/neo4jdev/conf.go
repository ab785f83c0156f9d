package neo4jdev

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// settings returns the lines of neo4j.conf. Neo4j rejects a setting that is given twice, so ExtraConf replaces the default.
func (o *Options) settings() map[string]string {
	bolt := loopback(o.BoltPort)
	lines := map[string]string{
		"server.default_listen_address":  "127.0.0.1",
		"server.bolt.listen_address":     bolt,
		"server.bolt.advertised_address": bolt,
		"server.http.enabled":            strconv.FormatBool(o.HTTP),
		"server.https.enabled":           "false",
		"server.memory.pagecache.size":   fmt.Sprintf("%dm", o.PageCacheMB),
		"dbms.usage_report.enabled":      "false",
		"client.allow_telemetry":         "false",
		// Without it a stop takes 10 s: Netty waits for late tasks, which do not occur on a server on this machine.
		"internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
	}
	if o.HTTP {
		lines["server.http.listen_address"] = loopback(o.HTTPPort)
		lines["server.http.advertised_address"] = loopback(o.HTTPPort)
	}
	if o.Development {
		// A preallocated log file of 256 MiB per database is too large for a temporary server.
		lines["db.tx_log.preallocate"] = "false"
	}
	maps.Copy(lines, o.ExtraConf)
	return lines
}

func writeConf(path string, settings map[string]string) error {
	var text strings.Builder
	text.WriteString("# Rewritten at every start; put lasting changes into the options instead.\n")
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&text, "%s=%s\n", key, settings[key])
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("neo4jdev: write neo4j.conf: %w", err)
	}
	return nil
}

func confFile(dir string) string { return filepath.Join(dir, "conf", "neo4j.conf") }

func loopback(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }
