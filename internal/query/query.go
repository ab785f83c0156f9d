// Package query defines saved queries: an analyst's Cypher that others run by its name, with typed parameters and within limits. A saved
// query runs with the rights of its definition: whoever may run it sees what it returns, whatever the own roles. A
// query may be a pattern instead, which runs with the rights of its caller.
package query

import (
	"context"
	"strconv"
	"time"

	"graphrest/internal/answer"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/queryguard"
)

// Limits of a definition. Text is in bytes, the description in characters.
const (
	MaxQueries      = 500
	MaxText         = 64 << 10
	MaxDescription  = 1000
	MaxParameters   = 50
	MaxRows         = 50_000
	DefaultRows     = 1000
	MaxBytes        = 64 << 20
	DefaultBytes    = 16 << 20
	MaxCacheSeconds = 24 * 3600
)

// Definition is what an administrator saves.
type Definition struct {
	Name, Description string
	Cypher            string
	// Pattern, in place of Cypher, is the JSON of a question of package pattern with references to parameters.
	Pattern      string
	Parameters   []Parameter   // by name
	Timeout      time.Duration // 0 is that of the gateway
	MaxRows      int
	MaxBytes     int64
	CacheSeconds int64
	Allow        []string
}

// Query is a version of a saved query. It is immutable and safe for concurrent use.
type Query struct {
	Definition
	Version   int64    // from 1
	Language  int      // the Cypher version that the database had at saving: 5 or 25
	Columns   []string // of the answer
	Operators []string // of the plan at saving
	Author    string   // who saved the version
	CreatedAt time.Time
	UpdatedAt time.Time // when the version was saved

	inputs *inputs
}

// Revision is the ETag.
func (q *Query) Revision() graph.Revision { return RevisionOf(q.Version) }

// RevisionOf is the ETag of a version.
func RevisionOf(version int64) graph.Revision { return graph.Revision(strconv.FormatInt(version, 10)) }

// Caller is who runs a query.
type Caller struct {
	UserID, Username string
	Attributes       graph.Properties
	MayRun           func(name string) bool
	MayRead          bool   // some of the graph, which a pattern needs
	LimitedAs        string // the id of the user whose share of the places a run takes
	// Began is called when a query of the caller reaches the database or finds its answer in the cache, whatever comes of it; nil for none.
	Began func()
}

func (c Caller) begin() {
	if c.Began != nil {
		c.Began()
	}
}

// Question is a query that the engine judges or runs.
type Question struct {
	Name       string // of the saved query; empty for the console
	Text       string
	Language   int // 0 is the default of the database
	Parameters map[string]graph.Value
	Allow      []string
	UserID     string // whose share of the places it takes
	Began      func() // called when the query is accepted and begins; for Run
	Timeout    time.Duration
	Limits     answer.Limits
}

// Engine judges and runs queries on the database.
type Engine interface {
	// Judge returns VALIDATION_ERROR for a text that is no valid Cypher, QUERY_REJECTED for one that is not allowed. DATABASE_UNAVAILABLE
	// if too many are judged.
	Judge(ctx context.Context, q Question) (queryguard.Checked, error)
	// Explain judges without refusing.
	Explain(ctx context.Context, q Question) (queryguard.Verdict, error)
	// Run judges and runs. DATABASE_UNAVAILABLE if no place becomes free in time, DATABASE_TIMEOUT, and VALIDATION_ERROR for an error of
	// the query at run time.
	Run(ctx context.Context, q Question) (*answer.Answer, error)
}

// Store stores saved queries and their versions. Changes write their entries in the audit in their own transaction. Besides the codes
// named, every method may return DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL.
type Store interface {
	// All returns every saved query by name, at most half a second old.
	All(ctx context.Context) (*Set, error)
	// Save stores a version. CONFLICT: create is set and the name is taken, or there are MaxQueries. NOT_FOUND: create is not set and
	// there is none. PRECONDITION_FAILED.
	Save(ctx context.Context, q *Query, create bool, when graph.Precondition) (*Query, error)
	// Delete removes a query with its versions. NOT_FOUND, PRECONDITION_FAILED.
	Delete(ctx context.Context, name string, when graph.Precondition) error
	// Versions returns the kept versions of a query, the newest first. NOT_FOUND.
	Versions(ctx context.Context, name string) ([]*Query, error)
}

// Set is all saved queries as of one moment. It is immutable.
type Set struct {
	ByName map[string]*Query
	Names  []string // in byte order
}

// Query returns a saved query. NOT_FOUND.
func (s *Set) Query(name string) (*Query, error) {
	if q, found := s.ByName[name]; found {
		return q, nil
	}
	return nil, NoSuchQuery()
}

// NoSuchQuery is NOT_FOUND, which is also the answer to those who may not run a query.
func NoSuchQuery() error { return fault.New(fault.NotFound, "There is no such saved query") }
