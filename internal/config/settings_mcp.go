package config

func mcpSettings() []Setting {
	const group = "Agents"
	return []Setting{
		{
			Name: "GRAPHREST_MCP", Flag: "mcp", Group: group, Kind: "switch", Default: "off", Expected: "on or off",
			Help: "Serve agents at /mcp by the Model Context Protocol. An agent has the rights of the token that it sends.",
			set:  setBoolean(func(c *Config) *bool { return &c.MCP.On }),
		},
		{
			Name: "GRAPHREST_MCP_WRITES", Flag: "mcp-writes", Group: group, Kind: "one of", Default: "off", Expected: "off, propose or direct",
			Help: "How agents may change the graph: not at all (off), by change sets that a person approves (propose), or by batches (direct).",
			set:  func(c *Config, v string) error { c.MCP.Writes = v; return oneOf("off", "propose", "direct")(v) },
		},
		{
			Name: "GRAPHREST_MCP_QUERY_TOOLS", Flag: "mcp-query-tools", Group: group, Kind: "number", Default: "20",
			Expected: "a whole number from 0 to 200",
			Help:     "Up to so many saved queries of a caller are separate tools; above it list_queries and run_query are there instead.",
			set:      setNumber(func(c *Config) *int { return &c.MCP.QueryTools }, 0, 200),
		},
		{
			Name: "GRAPHREST_MCP_OAUTH", Flag: "mcp-oauth", Group: group, Kind: "switch", Default: "on", Expected: "on or off",
			Help: "Let agents find the identity provider of GRAPHREST_OIDC_ISSUER (RFC 9728). Off: for agents that drop a configured token if " +
				"they find one.",
			set: setBoolean(func(c *Config) *bool { return &c.MCP.OAuth }),
		},
	}
}
