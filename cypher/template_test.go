package cypher

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// slotNames are the slots of all statements.
func slotNames() map[string]bool {
	names := map[string]bool{}
	for _, s := range loaded {
		for _, slot := range s.Slots {
			names[slot] = true
		}
	}
	return names
}

// A name that contains the braces of slots fills its own slot only: every statement, with every slot filled by a name that contains the
// braces of all slots, consists of its literal parts with that quoted name between them.
func TestNamesFillTheirOwnSlotOnly(t *testing.T) {
	var braces strings.Builder
	for slot := range slotNames() {
		braces.WriteString("{{" + slot + "}}")
	}
	for _, name := range []string{
		braces.String(), "{{", "}}", "{{{{id}}}}", "A{{where}}B", "Z{{id}}", "{{>audit}}", "*/ evil",
		"`) MATCH (n) DETACH DELETE n //{{type}}",
	} {
		quoted := Quote(name)
		for _, s := range loaded {
			slots := Slots{}
			for _, slot := range s.Slots {
				slots[slot] = quoted
			}
			text := s.Text(slots)
			require.Equal(t, s.Name, text.Statement())
			rest := text.String()
			for _, p := range s.template {
				want := p.literal
				if p.slot != "" {
					want = quoted.text
				}
				require.True(t, strings.HasPrefix(rest, want), "%s: %q should follow in %q", s.Name, want, rest)
				rest = rest[len(want):]
			}
			require.Empty(t, rest, s.Name)
		}
	}
}

// The same for the fragments that this package composes: names and keys in them are inert as well.
func TestFragmentsAreNotParsedAgain(t *testing.T) {
	key := Quote("k{{value}}{{property}}")
	for operator := range operators {
		where := Where(NodeVariable, []Condition{{Operator: operator, Key: key}, {Operator: operator}})
		require.Contains(t, where.text, "n."+key.text, operator)
		require.NotContains(t, strings.ReplaceAll(where.text, key.text, ""), "{{", operator)
	}
	hostile := "T{{id}}{{position}}"
	require.Equal(t, "UNWIND $ids[0] AS q MATCH (n:"+Quote(hostile).text+" { `{{type}}`: q[1]}) RETURN q[0] AS i, n",
		NodesPerType([]string{hostile}, Quote("{{type}}")).text)
	require.Equal(t, "r.`a{{key}}`, r.`b`", Keys(EdgeVariable, []string{"a{{key}}", "b"}).text)
	require.Equal(t, "`{{id}}`|`a``b`", QuoteAny([]string{"{{id}}", "a`b"}).text)
}

func TestTemplatesRejectInvalidSlots(t *testing.T) {
	for _, text := range []constant{"{{", "{{}}", "{{a", "{{A}}", "{{ id }}", "{{{id}}}", "{{>audit}}", "a {{b c}} d"} {
		_, err := parseTemplate(text)
		require.Error(t, err, text)
	}
	parsed, err := parseTemplate("MATCH (n:{{type}} { {{id}}: {x: 1}})")
	require.NoError(t, err)
	require.Equal(t, []string{"type", "id"}, parsed.slots())
	require.Panics(t, func() { parsed.fill(Slots{"type": Quote("A")}) }, "a slot is missing")
	require.Panics(t, func() { parsed.fill(Slots{"type": Quote("A"), "id": {}}) }, "a slot is empty")
}

// Conditions on ends are evaluated only where the edge is not internal and the property is shown.
func TestConditionsOnEndsAreGuarded(t *testing.T) {
	shown := literal("startNode(r).shown = 1")
	where := Where(EdgeVariable, []Condition{
		{Of: SourceEntity, Operator: "gt", Key: Quote("a"), Shown: shown},
		{Operator: "eq", Key: Quote("own")},
		{Operator: Omitted},
		{Of: TargetEntity, Operator: "absent", Key: Quote("b"), Shown: shown},
		{Of: TargetEntity, Operator: "exists", Key: Quote("c")},
	})
	require.Equal(t, "r.`own` = $where.v1 AND CASE WHEN "+VisibleEdge.String()+
		" THEN CASE WHEN startNode(r).shown = 1 THEN startNode(r).`a` > $where.v0 ELSE false END"+
		" AND CASE WHEN startNode(r).shown = 1 THEN endNode(r).`b` IS NULL ELSE true END"+
		" AND endNode(r).`c` IS NOT NULL ELSE false END", where.String())
}

func TestStatementsRejectWrongSlots(t *testing.T) {
	require.Panics(t, func() { Ping.Text(Slots{"id": Quote("uuid")}) })
	require.Panics(t, func() { LockEdges.Text(nil) })
	require.Panics(t, func() { LockEdges.Text(Slots{"other": Quote("uuid")}) })
	require.Panics(t, func() { Where(NodeVariable, []Condition{{Operator: "= 1 OR true //"}}) })
}
