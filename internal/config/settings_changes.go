package config

import (
	"time"

	"graphrest/internal/audit"
	"graphrest/internal/webhook"
)

func auditSettings() []Setting {
	const group = "Audit"
	return []Setting{
		{
			Name: "GRAPHREST_AUDIT", Flag: "audit", Group: group, Kind: "one of", Default: "all", Expected: "off, admin or all",
			Help: "What `GET /api/admin/audit` records of users' actions: nothing (off), logins, refusals and the administration " +
				"of users (admin), or changes of the graph as well (all). Set the same value on every replica.",
			set: func(c *Config, v string) error { c.Audit.Mode = audit.Mode(v); return oneOf("off", "admin", "all")(v) },
		},
		{
			Name: "GRAPHREST_AUDIT_KEEP", Flag: "audit-keep", Group: group, Kind: "duration", Default: "2160h", Expected: "a time from 1h to 87600h",
			Help: "How long entries of the audit are kept. The default is 90 days. Older ones are removed in the background, even if " +
				"GRAPHREST_AUDIT is off.",
			set: setDuration(func(c *Config) *time.Duration { return &c.Audit.Keep }, time.Hour, 87600*time.Hour),
		},
	}
}

func historySettings() []Setting {
	const group = "History"
	return []Setting{
		{
			Name: "GRAPHREST_HISTORY", Flag: "history", Group: group, Kind: "switch", Default: "on", Expected: "on or off",
			Help: "Record each change of a node or an edge with its values, for history, reads of the past, the trash, undo and the change feed. " +
				"Set the same value on every replica.",
			set: setBoolean(func(c *Config) *bool { return &c.History.On }),
		},
		{
			Name: "GRAPHREST_HISTORY_KEEP", Flag: "history-keep", Group: group, Kind: "duration", Default: "720h",
			Expected: "a time from 1s to 87600h",
			Help:     "How long records of changes are kept. The default is 30 days. Older ones are not served, and are removed within a minute.",
			set:      setDuration(func(c *Config) *time.Duration { return &c.History.Keep }, time.Second, 87600*time.Hour),
		},
		{
			Name: "GRAPHREST_HISTORY_MAX_BYTES", Flag: "history-max-bytes", Group: group, Kind: "size", Default: "1GiB",
			Expected: "a size from 64KiB to 1TiB",
			Help: "Size of all records of changes in the database, of which a text counts at least its bytes. Beyond it the oldest are " +
				"removed within a minute.",
			set: setSize(func(c *Config) *int64 { return &c.History.MaxBytes }, 64<<10, 1<<40),
		},
		{
			Name: "GRAPHREST_HISTORY_EXCLUDE", Flag: "history-exclude", Group: group, Kind: "list",
			Expected: "names of node types and edge types, separated by commas",
			Help:     "Types whose nodes and edges are never recorded. Not set: none.",
			set:      func(c *Config, v string) (err error) { c.History.Exclude, err = parseTypeNames(v); return err },
		},
	}
}

func changeSetSettings() []Setting {
	const group = "Change sets"
	return []Setting{
		{
			Name: "GRAPHREST_SELF_APPROVAL", Flag: "self-approval", Group: group, Kind: "switch", Default: "off", Expected: "on or off",
			Help: "Let authors approve and reject their own change sets. Otherwise another user must.",
			set:  setBoolean(func(c *Config) *bool { return &c.ChangeSets.SelfApproval }),
		},
		{
			Name: "GRAPHREST_CHANGE_SETS_MAX_BYTES", Flag: "change-sets-max-bytes", Group: group, Kind: "size", Default: "16MiB",
			Expected: "a size from 64KiB to 1GiB",
			Help: "Size of the open and approved change sets of one author, each at least 1 KiB; beyond it the author gets 409. " +
				"To stay below it, rejected and withdrawn ones of that author are removed early.",
			set: setSize(func(c *Config) *int64 { return &c.ChangeSets.MaxBytes }, 64<<10, 1<<30),
		},
		{
			Name: "GRAPHREST_CHANGE_SETS_KEEP", Flag: "change-sets-keep", Group: group, Kind: "duration", Default: "2160h",
			Expected: "a time from 1h to 87600h",
			Help:     "How long applied, rejected and withdrawn change sets are kept, and at least GRAPHREST_HISTORY_KEEP. The default is 90 days.",
			set:      setDuration(func(c *Config) *time.Duration { return &c.ChangeSets.Keep }, time.Hour, 87600*time.Hour),
		},
	}
}

func webhookSettings() []Setting {
	return []Setting{{
		Name: "GRAPHREST_WEBHOOK_ALLOW", Flag: "webhook-allow", Group: "Webhooks", Kind: "list",
		Expected: "addresses, networks or host names such as 10.0.0.7, 10.1.0.0/16 or hooks.internal, separated by commas",
		Help: "Where webhooks may lead besides public addresses. Not set: an address that is, or resolves to, a loopback, " +
			"link-local, private or reserved one is refused.",
		set: func(c *Config, v string) (err error) {
			c.Webhooks.Allow, err = webhook.ParseAddresses(list(v))
			return err
		},
	}}
}
