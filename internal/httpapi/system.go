package httpapi

import (
	"net/http"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/oidc"
)

// System describes the running gateway, for administrators.
type System struct {
	Version  string
	Started  time.Time
	Settings []Setting
}

// Setting is one setting with the value in use; a secret is redacted.
type Setting struct{ Name, Value, Source string }

// system answers GET /api/admin/system.
//
//	@Summary		Describe the gateway
//	@Description	The version, when this gateway was started, what it waits for if it is not ready, its settings with their sources, and when it last
//	@Description	reached the identity provider; the request itself does not contact the provider.
//	@Description	Secrets are redacted. One of several replicas answers.
//	@Tags			Operation
//	@Success		200	{object}	Answer[SystemDocument]
//	@Router			/api/admin/system [get]
func (a *API) system(c *call) error {
	is := a.options.System
	d := SystemDocument{Version: is.Version, StartedAt: is.Started.UTC(), NotReady: []NotReadyDocument{}, Settings: []SettingDocument{}}
	for _, why := range a.notReadyReasons(c.ctx()) {
		d.NotReady = append(d.NotReady, NotReadyDocument{Part: why.Field, Message: why.Message})
	}
	for _, s := range is.Settings {
		d.Settings = append(d.Settings, SettingDocument(s))
	}
	if a.options.SingleSignOn != nil {
		state := a.options.SingleSignOn.State()
		d.SingleSignOn = &SingleSignOnDocument{
			Issuer: state.Issuer, Discovery: providerContactDocument(state.Discovery), Keys: providerContactDocument(state.Keys),
		}
	}
	c.send(http.StatusOK, appendJSON(d))
	return nil
}

func providerContactDocument(made oidc.Contact) ProviderContactDocument {
	return ProviderContactDocument{ReadAt: optionalTime(made.ReadAt.UTC()), FailedAt: optionalTime(made.FailedAt.UTC())}
}

// findings answers GET /api/admin/system/findings.
//
//	@Summary		Check the database
//	@Description	The release of the database and what graphrest doctor finds in its settings, indexes and names, at most a minute old; nothing is
//	@Description	written. Left out is what only the command checks: the ids of the types, for which it reads every node and edge, and whether the
//	@Description	database's server fetches from addresses, which it tries. One of several replicas answers, and each keeps its last answer.
//	@Tags			Operation
//	@Success		200	{object}	Answer[FindingsDocument]
//	@Router			/api/admin/system/findings [get]
func (a *API) findings(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.Monitor.Diagnosis(c.ctx())
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(FindingsDocument{
		CheckedAt: found.CheckedAt, Version: found.Server.Version, Edition: found.Server.Edition, ClockAhead: found.Server.ClockSkew,
		Findings: mapSlice(found.Findings, func(f graph.Finding) FindingDocument {
			return FindingDocument{Level: string(f.Level), Subject: f.Subject, Message: f.Message, Remedy: optionalText(f.Remedy)}
		}),
	}))
	return nil
}

// sizes answers GET /api/admin/system/sizes.
//
//	@Summary		Count what the database contains
//	@Description	Counts of nodes and edges, and how many records of changes and entries of the audit there are, with the limits that bound them. Numbers
//	@Description	that tell something about the graph need the permission read as well. The Community edition does not report the bytes of a database.
//	@Tags			Operation
//	@Success		200	{object}	Answer[SizesDocument]
//	@Router			/api/admin/system/sizes [get]
func (a *API) sizes(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	d := SizesDocument{}
	mayRead := c.mayRead() // the bytes of history tell lengths of values
	if mayRead {
		size, err := a.options.Monitor.Size(c.ctx())
		if err != nil {
			return err
		}
		d.Nodes, d.Edges = &size.Nodes, &size.Edges
	}
	if a.options.Journal != nil {
		use, err := a.options.Journal.ReadUse(c.ctx())
		if err != nil {
			return err
		}
		d.History = &HistorySizeDocument{
			Records: use.Records, MaxBytes: use.MaxBytes, KeepSeconds: int64(use.Keep.Seconds()), OldestAt: optionalTime(use.Oldest.UTC()),
		}
		if mayRead {
			d.History.Bytes = &use.Bytes
		}
	}
	if a.options.AuditReader != nil {
		use, err := a.options.AuditReader.ReadUse(c.ctx())
		if err != nil {
			return err
		}
		d.Audit = &AuditSizeDocument{Entries: use.Entries, KeepSeconds: int64(use.Keep.Seconds()), OldestAt: optionalTime(use.Oldest.UTC())}
	}
	c.send(http.StatusOK, appendJSON(d))
	return nil
}
