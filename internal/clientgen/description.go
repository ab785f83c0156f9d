package clientgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// description is what a client is generated from.
type description struct {
	nodes, edges []entityType
	queries      []savedQuery
}

// entityType is a type of nodes or edges.
type entityType struct {
	name       string
	identifier string // in the generated code, without the suffix of the kind
	closed     bool   // it allows no other properties
	properties []member
}

// member is a property or a parameter.
type member struct {
	name     string
	types    []string // as GET /api/schema names them; empty if they are not known
	required bool
}

type savedQuery struct {
	name        string
	description string
	parameters  []member
}

// openAPI is the part of a description that is read.
type openAPI struct {
	Version    string `json:"openapi"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
	Paths map[string]struct {
		Post *operation `json:"post"`
	} `json:"paths"`
}

type operation struct {
	Query       string `json:"x-query"`
	Description string `json:"description"`
	RequestBody struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

type schema struct {
	Kind       string            `json:"x-kind"`
	Type       string            `json:"x-type"`
	Closed     bool              `json:"x-closed"`
	Types      []string          `json:"x-neo4j-types"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
}

func readDescription(text []byte) (description, error) {
	var read openAPI
	if err := json.Unmarshal(text, &read); err != nil {
		return description{}, fmt.Errorf("the gateway's description is no OpenAPI document: %w", err)
	}
	if read.Version == "" || read.Components.Schemas["Error"].Properties == nil {
		return description{}, errors.New("the gateway's description is not that of a Graph Data Service of this version")
	}
	var d description
	for _, component := range slices.Sorted(maps.Keys(read.Components.Schemas)) {
		s := read.Components.Schemas[component]
		t := entityType{
			name: s.Type, identifier: identifierOf(s.Type), closed: s.Closed, properties: s.Properties["properties"].members(),
		}
		switch s.Kind {
		case "node":
			d.nodes = append(d.nodes, t)
		case "edge":
			d.edges = append(d.edges, t)
		}
	}
	byName := func(a, b entityType) int { return strings.Compare(a.name, b.name) }
	slices.SortFunc(d.nodes, byName)
	slices.SortFunc(d.edges, byName)
	for _, path := range slices.Sorted(maps.Keys(read.Paths)) {
		if o := read.Paths[path].Post; o != nil && o.Query != "" {
			body := o.RequestBody.Content["application/json"].Schema
			d.queries = append(d.queries, savedQuery{o.Query, o.Description, body.Properties["parameters"].members()})
		}
	}
	return d, nil
}

// members are the properties of a schema, by name.
func (s schema) members() []member {
	all := make([]member, 0, len(s.Properties))
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		all = append(all, member{name, s.Properties[name].Types, slices.Contains(s.Required, name)})
	}
	return all
}

var (
	plainIdentifier    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	endsLikeIdentifier = regexp.MustCompile(`_[0-9a-f]{8}$`)
	notInIdentifiers   = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

// identifierOf returns the name of a type as a part of identifiers: itself if it is letters, digits and underscores, else with the
// others replaced and a hash, also if it ends as if it had one. So it depends on no other type, and no two types have the same. A suffix
// for the kind follows, so that it is no reserved word and no name of the client itself.
func identifierOf(name string) string {
	if plainIdentifier.MatchString(name) && !endsLikeIdentifier.MatchString(name) {
		return name
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name))
	return fmt.Sprintf("T%s_%08x", strings.TrimSuffix(notInIdentifiers.ReplaceAllString("_"+name, "_"), "_"), sum.Sum32())
}
