package neo4jaudit

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"graphrest/internal/audit"
)

// maxFieldsText bounds the names of changed properties in one entry, in bytes.
const maxFieldsText = 1000

// Line is the stored form of one row of an entry, as one string: writing one property is cheaper than seven. Each part begins with a
// tab, and only the last may contain one.
func Line(a audit.Actor, entity string, fields []string, name string) string {
	named := ""
	if len(fields) > 0 {
		named = fieldsText(fields)
	}
	return Prefix(a) + replaceTabs(entity) + "\t" + replaceTabs(named) + "\t" + name
}

// Prefix is the common start of an actor's lines, up to the entity.
func Prefix(a audit.Actor) string {
	var b strings.Builder
	request := a.RequestID
	if a.GatewayID != "" {
		request += " " + a.GatewayID // no request id contains a space, or begins with a brace
	}
	if by := credentialText(a); by != "" {
		request += " " + by
	}
	for _, part := range []string{a.User, a.UserID, request, a.Address} {
		b.WriteByte('\t')
		b.WriteString(replaceTabs(part))
	}
	b.WriteByte('\t')
	return b.String()
}

// credential is what a line says about how a user sent a request, if it was not by a login to the REST API.
type credential struct {
	TokenID string `json:"token_id,omitempty"`
	Token   string `json:"token,omitempty"`
	Via     string `json:"via,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Client  string `json:"client,omitempty"`
}

// credentialText is the credential of an actor as JSON; empty if there is nothing to say.
func credentialText(a audit.Actor) string {
	c := credential{a.TokenID, a.Token, a.Agent.Via, a.Agent.Tool, a.Agent.Client}
	if c == (credential{}) {
		return ""
	}
	text, _ := json.Marshal(c) // strings can always be encoded
	return string(text)
}

// readRequest reads the part of a line about the request into an actor: its ids, and the credential.
func readRequest(a *audit.Actor, part string) {
	a.RequestID, a.GatewayID, _ = strings.Cut(part, " ")
	ids, text, found := strings.Cut(part, " {")
	if !found {
		return
	}
	a.RequestID, a.GatewayID, _ = strings.Cut(ids, " ")
	var c credential
	_ = json.Unmarshal([]byte("{"+text), &c) // empty where another program wrote it
	a.TokenID, a.Token, a.Agent = c.TokenID, c.Token, audit.Agent{Via: c.Via, Tool: c.Tool, Client: c.Client}
}

func replaceTabs(text string) string { return strings.ReplaceAll(text, "\t", " ") }

const lineParts = 7

// readLine splits a line into its parts. A line written by another program yields what can be read of it.
func readLine(line string) audit.Entry {
	parts := strings.SplitN(strings.TrimPrefix(line, "\t"), "\t", lineParts)
	parts = append(parts, make([]string, lineParts-len(parts))...)
	e := audit.Entry{
		Actor:  audit.Actor{User: parts[0], UserID: parts[1], Address: parts[3]},
		Entity: parts[4], Name: parts[6], Count: 1,
	}
	readRequest(&e.Actor, parts[2])
	_ = json.Unmarshal([]byte(parts[5]), &e.Fields) // empty where there are none
	return e
}

// fieldsText is names as a JSON array, truncated to those that fit.
func fieldsText(names []string) string {
	size, fit := 2, 0
	for _, name := range names {
		if size += len(name) + 3; size > maxFieldsText {
			break
		}
		fit++
	}
	text, _ := json.Marshal(names[:fit]) // strings can always be encoded
	return string(text)
}

// NewEntry is the entry of a change by the actor of the context.
func NewEntry(ctx context.Context, action audit.Action, kind audit.Kind, entity, name string, fields ...string) audit.Entry {
	slices.Sort(fields)
	return audit.Entry{
		Actor: audit.ActorFrom(ctx), Action: action, Kind: kind, Outcome: audit.Done, Entity: entity,
		Name: name, Fields: fields,
	}
}

// EntryParameters are the parameters of audit_record: entries that belong to no change of the graph, in their stored form.
func EntryParameters(entries ...audit.Entry) map[string]any {
	stored := make([]map[string]any, len(entries))
	for i, e := range entries {
		stored[i] = encodeEntry(e)
	}
	return map[string]any{"entries": stored}
}

func encodeEntry(e audit.Entry) map[string]any {
	stored := map[string]any{
		"action": string(e.Action), "kind": string(e.Kind), "outcome": string(e.Outcome), "changes": max(e.Count, 1),
		"lines": []string{Line(e.Actor, e.Entity, e.Fields, e.Name)},
	}
	if e.Code != "" {
		stored["code"] = e.Code
	}
	return stored
}
