package httpapi

import (
	"net/http"
	"time"
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
//	@Description	The version, when this gateway was started, what it waits for if it is not ready, and its settings with their sources.
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
	c.send(http.StatusOK, appendJSON(d))
	return nil
}
