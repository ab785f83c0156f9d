package graph

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"graphrest/internal/fault"
)

// Limits of searches and of the indexes they use.
const (
	MaxSearchText       = 500     // bytes of what is searched for
	MaxSearchWords      = 16      // words and phrases in it
	MaxSearchHits       = 5000    // best hits looked at for each property of each index, in as many as SharedSearchHits allows
	SharedSearchHits    = 100_000 // hits looked at in all; more than 20 properties have an equal share each
	MaxSearchIndexName  = 64      // bytes
	MaxSearchTypes      = 100     // of one index
	MaxSearchProperties = 30      // of one index, and of one search
	MaxSearchIndexes    = 100     // named in one search
)

// Searcher finds nodes and edges by the words in their properties, with full-text indexes of the database. The rules are those of
// NodeStore: internal data is never found, and an edge with an internal end is none.
type Searcher interface {
	// SearchIndexes lists the full-text indexes by name: those made by CreateSearchIndex, and those that others made in Cypher.
	SearchIndexes(ctx context.Context) ([]SearchIndex, error)
	// SearchIndex reads one. NOT_FOUND.
	SearchIndex(ctx context.Context, name string) (SearchIndex, error)
	// CreateSearchIndex makes an index and does not wait until it is built. VALIDATION_ERROR: an analyzer that the database does not
	// have, the id property, or more new names than allowed. CONFLICT: the name is taken, or there is an index on just the same
	// types and properties. DATABASE_UNAVAILABLE: also where it was made, as the message then says, and its entry of the audit was not.
	CreateSearchIndex(ctx context.Context, n NewSearchIndex) (SearchIndex, error)
	// DeleteSearchIndex removes an index that CreateSearchIndex made. NOT_FOUND. CONFLICT: others made it. DATABASE_UNAVAILABLE: as above.
	DeleteSearchIndex(ctx context.Context, name string) error
	// Search finds what holds every word, the best first. NOT_FOUND: there is no search index, or none of a name in q.Indexes.
	// VALIDATION_ERROR: a property that none of the indexes has, a position of another kind. DATABASE_UNAVAILABLE: an index named in
	// the query is still being built. CONFLICT: its building failed.
	Search(ctx context.Context, q SearchQuery) (Hits, error)
}

// SearchIndex is a full-text index. Neo4j keeps it up to date within the transaction that changes an entity, unless whoever made it in
// Cypher asked for something else.
type SearchIndex struct {
	Name       string
	Kind       Kind
	Types      []string
	Properties []string
	Analyzer   string
	State      SearchIndexState
	Progress   float64 // of building, 0 to 100
	Managed    bool    // made by CreateSearchIndex
}

// SearchIndexState says whether an index can be searched.
type SearchIndexState string

// States.
const (
	SearchBuilding SearchIndexState = "building"
	SearchOnline   SearchIndexState = "online"
	SearchFailed   SearchIndexState = "failed"
)

// NewSearchIndex is the input of a create. Types and Properties are not empty and hold each name once.
type NewSearchIndex struct {
	Name       string // accepted by CheckSearchIndexName
	Kind       Kind
	Types      []TypeName
	Properties []string // accepted by CheckSearchProperty
	Analyzer   string   // empty for the database's own default
}

// SearchQuery asks for the entities that hold every one of some words, each in any of the properties. Empty fields select all. A
// total is given whenever all hits were looked at.
type SearchQuery struct {
	Words      []Word
	Indexes    []string
	Kind       Kind
	Type       TypeName // nodes that have this label at all, or edges of this type
	Properties []string // search in these only
	Paging
}

// Word is a word or a phrase. How a text is cut into words, and which are equal, is up to the index's analyzer.
type Word struct {
	Text   string
	Prefix bool // any word that begins so
}

// Hit is an entity that was found.
type Hit struct {
	Kind    Kind
	Score   float64  // comparable within one answer only
	Matched []string // the properties that hold at least one of the words, in byte order
	Node    Node     // for NodeKind
	Edge    Edge     // for EdgeKind
}

// Hits is a page of hits by falling score, then nodes before edges, then by id.
type Hits struct {
	Page[Hit]
	Truncated bool // some property of some index has more hits than are looked at; those beyond, the worst, were not
}

// ParseWords reads what a person typed: words, "phrases in quotes", and words* that only begin so. Nothing else has a meaning. What
// holds neither letter, digit nor symbol (beyond ASCII) is left out. The fault names the field given.
func ParseWords(field, text string) ([]Word, *fault.Error) {
	switch {
	case len(text) > MaxSearchText:
		return nil, fault.Invalid(field, "must be at most %d bytes long", MaxSearchText)
	case strings.ContainsRune(text, 0):
		return nil, fault.Invalid(field, "must not contain a NUL character")
	}
	var words []Word
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 { // between quotes
			words = appendWord(words, Word{Text: strings.TrimSpace(part)})
			continue
		}
		for _, each := range strings.FieldsFunc(part, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			words = appendWords(words, each)
		}
	}
	switch {
	case len(words) == 0:
		return nil, fault.Invalid(field, "must hold a word")
	case len(words) > MaxSearchWords:
		return nil, fault.Invalid(field, "must have at most %d words and phrases", MaxSearchWords)
	}
	return words, nil
}

// appendWords adds one word. What is before the last sign in a prefix is a word of its own, since indexes cut words at signs:
// rock-n* is rock and n*.
func appendWords(words []Word, text string) []Word {
	begin, prefix := strings.CutSuffix(text, "*")
	if !prefix {
		return appendWord(words, Word{Text: text})
	}
	last := strings.LastIndexFunc(begin, func(r rune) bool { return !searchable(r) })
	if last < 0 {
		return appendWord(words, Word{Text: begin, Prefix: true})
	}
	_, size := utf8.DecodeRuneInString(begin[last:])
	return appendWord(appendWord(words, Word{Text: begin[:last]}), Word{Text: begin[last+size:], Prefix: true})
}

func appendWord(words []Word, w Word) []Word {
	if !strings.ContainsFunc(w.Text, searchable) {
		return words
	}
	return append(words, w)
}

// searchable says whether a character can be of a word.
func searchable(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || (r > unicode.MaxASCII && unicode.IsSymbol(r))
}

// CheckSearchIndexName accepts 1 to 64 letters, digits, "_" and "-" of ASCII, so that a name needs no escaping anywhere.
func CheckSearchIndexName(field, name string) *fault.Error {
	odd := func(r rune) bool {
		return r > unicode.MaxASCII || (!unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-')
	}
	if name == "" || len(name) > MaxSearchIndexName || strings.ContainsFunc(name, odd) || Reserved(name) {
		return fault.Invalid(field, "must be 1 to %d letters, digits, \"_\" and \"-\", and not start with a reserved prefix", MaxSearchIndexName)
	}
	return nil
}

// CheckSearchProperty accepts what a property key can be.
func CheckSearchProperty(field, name string) *fault.Error { return checkPropertyName(field, name) }
