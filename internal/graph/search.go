package graph

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"graphrest/internal/fault"
)

// Limits of searches and of the indexes they use.
const (
	MaxSearchText       = 500     // bytes of the searched text
	MaxSearchWords      = 16      // words and phrases in the searched text
	MaxSearchHits       = 5000    // best hits read for each property of each index, within SharedSearchHits
	SharedSearchHits    = 100_000 // hits read in total; more than 20 properties get an equal share each
	MaxSearchIndexName  = 64      // bytes
	MaxSearchTypes      = 100     // of one index
	MaxSearchProperties = 30      // of one index, and of one search
	MaxSearchIndexes    = 100     // named in one search
)

// Searcher finds nodes and edges by the words in their properties, with full-text indexes of the database. The rules are those of
// NodeStore: internal data, and edges with an internal end, are never found.
type Searcher interface {
	// SearchIndexes lists the full-text indexes by name: those created by CreateSearchIndex, and those that other programs created in Cypher.
	SearchIndexes(ctx context.Context) ([]SearchIndex, error)
	// SearchIndex reads one index. NOT_FOUND.
	SearchIndex(ctx context.Context, name string) (SearchIndex, error)
	// CreateSearchIndex creates an index and does not wait until it is built. VALIDATION_ERROR: an analyzer that the database does not
	// have, the id property, or more new names than allowed. CONFLICT: the name is taken, or an index exists on exactly the same
	// types and properties. DATABASE_UNAVAILABLE: also if the index was created but its audit entry was not, which the message reports.
	CreateSearchIndex(ctx context.Context, n NewSearchIndex) (SearchIndex, error)
	// DeleteSearchIndex drops an index that CreateSearchIndex created. NOT_FOUND. CONFLICT: another program created it.
	// DATABASE_UNAVAILABLE: as above.
	DeleteSearchIndex(ctx context.Context, name string) error
	// Search finds the entities that contain every word, the best first. NOT_FOUND: there is no search index, or none with a name in
	// q.Indexes. VALIDATION_ERROR: a property that none of the indexes has, a position of another kind. DATABASE_UNAVAILABLE: an index
	// named in the query is still being built. CONFLICT: its population failed.
	Search(ctx context.Context, q SearchQuery) (Hits, error)
}

// SearchIndex is a full-text index. Neo4j updates it within the transaction that changes an entity, unless it was created in Cypher as
// eventually consistent.
type SearchIndex struct {
	Name       string
	Kind       Kind
	Types      []string
	Properties []string
	Analyzer   string
	State      SearchIndexState
	Progress   float64 // of the population, 0 to 100
	Managed    bool    // created by CreateSearchIndex
}

// SearchIndexState is the state of an index; only an online index can be searched.
type SearchIndexState string

// States.
const (
	SearchBuilding SearchIndexState = "building"
	SearchOnline   SearchIndexState = "online"
	SearchFailed   SearchIndexState = "failed"
)

// NewSearchIndex is the input of a create. Types and Properties are not empty and contain each name once.
type NewSearchIndex struct {
	Name       string // accepted by CheckSearchIndexName
	Kind       Kind
	Types      []TypeName
	Properties []string // accepted by CheckSearchProperty
	Analyzer   string   // empty for the database's default
}

// SearchQuery selects the entities that contain every one of some words, each in any of the properties. Empty fields select all. The
// answer has a total if all hits were read.
type SearchQuery struct {
	Words      []Word
	Indexes    []string
	Kind       Kind
	Type       TypeName // nodes that have this label among their labels, or edges of this type
	Properties []string // search only in these
	Paging
}

// Word is a word or a phrase. The index's analyzer decides how a text is split into words and which words are equal.
type Word struct {
	Text   string
	Prefix bool // matches any word that begins with Text
	Fuzzy  bool // matches words that differ from Text in one character, or in the order of two
}

// minFuzzy is the number of characters of the shortest word that is searched with a typing error: shorter ones would match everything.
const minFuzzy = 4

// AllowTypos returns words that also match with a typing error, unless they are short, phrases, or of several parts.
func AllowTypos(words []Word) []Word {
	loose := slices.Clone(words)
	for i := range loose {
		isOne := !strings.ContainsFunc(loose[i].Text, func(r rune) bool { return !IsInWord(r) && !IsApostrophe(r) })
		loose[i].Fuzzy = isOne && utf8.RuneCountInString(loose[i].Text) >= minFuzzy
	}
	return loose
}

// Hit is an entity that was found.
type Hit struct {
	Kind    Kind
	Score   float64  // comparable within one answer only
	Matched []string // the properties that contain at least one of the words, in byte order
	Node    Node     // for NodeKind
	Edge    Edge     // for EdgeKind
}

// Hits is a page of hits by descending score, then nodes before edges, then by id.
type Hits struct {
	Page[Hit]
	Truncated bool // some property of some index has more hits than the limit; the hits beyond it, those with the lowest scores, were not read
}

// ParseWords parses a search text: words, "phrases in quotes", and prefixes*. Nothing else has a meaning. A part without a letter, a digit
// or a non-ASCII symbol is left out. The fault names the given field.
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

// appendWords appends one word or prefix. In a prefix, the text before the last sign at which indexes split words becomes a separate word:
// rock-n* becomes rock and n*. They may not at a sign that joins, as in v1.2.
func appendWords(words []Word, text string) []Word {
	begin, prefix := strings.CutSuffix(text, "*")
	if !prefix {
		return appendWord(words, Word{Text: text})
	}
	begin = strings.TrimFunc(begin, joins)
	last := strings.LastIndexFunc(begin, func(r rune) bool { return !IsInWord(r) && !joins(r) })
	if last < 0 {
		return appendWord(words, Word{Text: begin, Prefix: true})
	}
	_, size := utf8.DecodeRuneInString(begin[last:])
	end := strings.TrimLeftFunc(begin[last+size:], joins)
	return appendWord(appendWord(words, Word{Text: begin[:last]}), Word{Text: end, Prefix: true})
}

// joins reports whether a sign may stand within a word of an index, between letters or digits (Unicode Standard Annex 29, MidLetter,
// MidNum, MidNumLet and ExtendNumLet).
func joins(r rune) bool { return strings.ContainsRune("'’.,_:;", r) }

// IsApostrophe reports whether a character is an apostrophe, which may stand within a word.
func IsApostrophe(r rune) bool { return r == '\'' || r == '’' }

func appendWord(words []Word, w Word) []Word {
	if !strings.ContainsFunc(w.Text, IsInWord) {
		return words
	}
	return append(words, w)
}

// IsInWord reports whether a character can be part of a word wherever it stands. Of others, such as a hyphen or a full stop, it depends on
// their neighbors and on the analyzer whether an index splits words there.
func IsInWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || (r > unicode.MaxASCII && unicode.IsSymbol(r))
}

// CheckSearchIndexName accepts 1 to 64 ASCII letters, digits, "_" and "-", so that a name never needs escaping, and rejects reserved
// prefixes.
func CheckSearchIndexName(field, name string) *fault.Error {
	odd := func(r rune) bool {
		return r > unicode.MaxASCII || (!unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-')
	}
	if name == "" || len(name) > MaxSearchIndexName || strings.ContainsFunc(name, odd) || Reserved(name) {
		return fault.Invalid(field, "must be 1 to %d letters, digits, \"_\" and \"-\", and not start with a reserved prefix", MaxSearchIndexName)
	}
	return nil
}

// CheckSearchProperty accepts any valid property key.
func CheckSearchProperty(field, name string) *fault.Error { return CheckPropertyName(field, name) }
