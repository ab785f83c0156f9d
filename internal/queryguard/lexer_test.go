package queryguard

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTokenize(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   string // kind and value of each token
	}{
		"range":       {"*1..3", "symbol:* number:1 symbol:. symbol:. number:3"},
		"decimal":     {"1.5e-3", "number:1.5e-3"},
		"arrow":       {"<-[r]-", "symbol:< symbol:- symbol:[ word:r symbol:] symbol:-"},
		"quoted name": {"`a``b`", "quotedName:a`b"},
		"string":      {`'it\'s' "a'b"`, "text:it's text:a'b"},
		"escape":      {`'caf\u00e9'`, "text:café"},
		"comments":    {"a/* ' */b// \" \nc", "word:a word:b word:c"},
		"parameter":   {"$a $`b c` $(", "parameter:a parameter:b c symbol:$ symbol:("},
	} {
		t.Run(name, func(t *testing.T) {
			tokens, blanked, refused := tokenize(c.source)
			require.Nil(t, refused)
			require.Len(t, blanked, len(c.source), "the places in a text stay")
			kinds := map[tokenKind]string{
				word: "word", quotedName: "quotedName", textToken: "text", number: "number", parameter: "parameter", symbol: "symbol",
			}
			var got []string
			for _, one := range tokens[:len(tokens)-1] {
				got = append(got, kinds[one.kind]+":"+one.value)
			}
			require.Equal(t, c.want, strings.Join(got, " "))
		})
	}
}

func TestSealedTexts(t *testing.T) {
	seal := Seal{labels: []string{"A", "B"}, types: []string{"R"}, suffix: "x"}
	for name, c := range map[string]struct{ source, want string }{
		"node":         {"MATCH (n) RETURN n", "MATCH (n:!`A`&!`B` ) RETURN n"},
		"label":        {"MATCH (n:P) RETURN n", "MATCH (n:(P)&!`A`&!`B` ) RETURN n"},
		"labels":       {"MATCH (n:P:Q) RETURN n", "MATCH (n:(P&Q)&!`A`&!`B` ) RETURN n"},
		"relationship": {"RETURN EXISTS { (a:P)--(:Q) }", "RETURN EXISTS { (a:(P)&!`A`&!`B` )-[:!`R`]-(:(Q)&!`A`&!`B` ) }"},
		"named types":  {"RETURN EXISTS { (:P)-[:K|L]->(:Q) }", "RETURN EXISTS { (:(P)&!`A`&!`B` )-[:K|L]->(:(Q)&!`A`&!`B` ) }"},
		"negated type": {"RETURN EXISTS { (:P)-[:!K]->(:Q) }", "RETURN EXISTS { (:(P)&!`A`&!`B` )-[:(!K)&!`R` ]->(:(Q)&!`A`&!`B` ) }"},
		"comment":      {"RETURN /* x */ 1", "RETURN         1"},
		"prefix":       {"CYPHER 25 RETURN 1", "          RETURN 1"},
		"quantified": {
			"RETURN EXISTS { (:P)-[:K]->{1,2}(:Q) }",
			"RETURN EXISTS { (:(P)&!`A`&!`B` )((:!`A`&!`B`)-[:K]" +
				"->(:!`A`&!`B`)){1,2}(:(Q)&!`A`&!`B` ) }",
		},
		"index of hits": {
			"CALL db.index.fulltext.queryNodes('i', 'q') YIELD node RETURN node",
			"CALL db.index.fulltext.queryNodes('i', 'q') YIELD node" +
				" WHERE `node`:!`A`&!`B`  RETURN node",
		},
		"no pattern": {"WITH 5 AS a, 3 AS b RETURN (a)-b AS c, a + b AS d", "WITH 5 AS a, 3 AS b RETURN (a)-b AS c, a + b AS d"},
		"variable length": {
			"MATCH p = (a:P)-[:K*1..2]->(b:P) WHERE a.x = 1 OR b.x = 1 RETURN p",
			"MATCH p = (a:(P)&!`A`&!`B` )-[:K*1..2]->(b:(P)&!`A`&!`B` )" +
				" WHERE all(gr_each_x IN nodes(`p`) WHERE gr_each_x:!`A`&!`B`) AND ( a.x = 1 OR b.x = 1) RETURN p",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := parseQuery(c.source, seal, nil)
			require.Empty(t, got.refusals)
			require.Equal(t, c.want, got.sealed)
		})
	}
}

// FuzzParse shows that the parser ends, and that what it accepts has no write clause outside of strings and names.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"MATCH (a:P)-[:K*1..2]->(b) WHERE a.x = 1 RETURN [(a)--(b) | b] AS l", "CALL (x) { RETURN 1 AS y }", "RETURN 'a' // b\n, `c`",
		"MATCH (((a)-->(b))+)", "RETURN CASE WHEN 1 THEN", "[[[[", "}", ";", "{", "CYPHER",
		"CYPHER 5", "OPTIONAL", "MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "RETURN \\u0041",
	} {
		f.Add(seed)
	}
	seal := NewSeal(nil, nil)
	f.Fuzz(func(t *testing.T, source string) {
		got := parseQuery(source, seal, nil)
		if len(got.refusals) > 0 {
			return
		}
		tokens, _, refused := tokenize(source)
		require.Nil(t, refused)
		for i, one := range tokens {
			if one.is("MERGE", "FOREACH", "DETACH") && i > 0 && tokens[i-1].isSymbol(")") {
				t.Fatalf("accepted: %q", source)
			}
		}
	})
}
