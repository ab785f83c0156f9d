package queryguard_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// pick returns one of some texts.
func pick(random *rand.Rand, texts ...string) string { return texts[random.IntN(len(texts))] }

// generatedQuery is a query that is mostly valid: a random pattern in one of the places where patterns stand.
func generatedQuery(random *rand.Rand) string {
	g := &generator{random: random}
	path := g.path("a")
	condition := pick(random, "", "", " WHERE a.name IS NOT NULL",
		" WHERE a.name > 'a' OR a.age IS NULL", " WHERE NOT a:Student OR (a)--()")
	free := g.path("")
	switch random.IntN(14) {
	case 0:
		return "MATCH " + path + condition + " RETURN count(*) AS c"
	case 1:
		return "MATCH p = " + path + condition + " RETURN [n IN nodes(p) | n.name] AS l, [r IN relationships(p) | type(r)] AS t"
	case 2:
		return "RETURN COUNT { " + path + condition + " } AS c"
	case 3:
		return "MATCH (a:Person) RETURN a.name AS name, COUNT { " + path + " } AS c"
	case 4:
		return "MATCH (a:Person) RETURN a.name AS name, size([" + path + " | 1]) AS c"
	case 5:
		return "MATCH (a:Person) WHERE " + pick(random, "", "NOT ") + "EXISTS { " + path + " } RETURN a.name AS name"
	case 6:
		return "MATCH (a:Person) WHERE " + pick(random, "", "NOT ") + path + " RETURN a.name AS name"
	case 7:
		return "MATCH (a:Person) OPTIONAL MATCH " + path + condition + " RETURN a.name AS name, count(*) AS c"
	case 8:
		return "MATCH (a:Person) CALL (a) { MATCH " + path + " RETURN count(*) AS c } RETURN a.name AS name, c"
	case 9:
		return "MATCH p = " + pick(random, "ALL SHORTEST ", "SHORTEST 3 GROUPS ") + path + " RETURN length(p) AS l, count(*) AS c"
	case 10:
		return "MATCH (a:Person) RETURN a {.name, l: [p = " + path + condition + " | length(p)]} AS m"
	case 11:
		return "MATCH " + path + " MATCH " + free + " RETURN count(*) AS c"
	case 12:
		return "MATCH " + path + " WITH a, count(*) AS k WHERE k > 0 AND " + path + " RETURN sum(k) AS c"
	default:
		return "MATCH p = " + path + ", q = " + free + condition + " RETURN count(DISTINCT p) AS c, count(DISTINCT q) AS d"
	}
}

// generator writes random patterns. Variables of one query differ unless they are meant to be the same.
type generator struct {
	random *rand.Rand
	count  int
}

func (g *generator) variable(prefix string) string {
	g.count++
	return pick(g.random, "", fmt.Sprintf("%s%d", prefix, g.count))
}

func (g *generator) path(first string) string {
	var b strings.Builder
	b.WriteString(g.node(first))
	for range 1 + g.random.IntN(2) {
		b.WriteString(g.step())
		b.WriteString(g.node(g.variable("n")))
	}
	return b.String()
}

func (g *generator) node(variable string) string {
	labels := pick(g.random, "", "", ":Person", ":Person", ":City", ":Person|City", ":!City", ":%", ":Person&!Student", ":Person:Student",
		" IS Person", ":$('Person')", ":!%", ":(Person|City)&!Student")
	return "(" + variable + labels + pick(g.random, "", "", "", "", " {name: 'a'}", " {w: 1}") + ")"
}

func (g *generator) step() string {
	types := pick(g.random, "", ":KNOWS", ":KNOWS|LIVES_IN", ":!LIVES_IN", ":%", ":$('KNOWS')", " IS KNOWS", ":KNOWS|:LIVES_IN")
	inner := g.variable("r") + types + pick(g.random, "", "", "", " {w: 1}")
	left, right := pick(g.random, "-", "-", "<-"), "-"
	if left == "-" {
		right = pick(g.random, "-", "->", "->")
	}
	switch g.random.IntN(8) {
	case 0:
		return left + right
	case 1:
		return left + "[" + g.variable("r") + pick(g.random, "", ":KNOWS", ":KNOWS|LIVES_IN") +
			pick(g.random, "*1..2", "*2", "*0..1", "*..2") +
			pick(g.random, "", " {w: 1}") + "]" + right
	case 2:
		return left + "[" + inner + "]" + right + pick(g.random, "{1,2}", "{2}", "{0,1}")
	case 3:
		return " (" + g.node(g.variable("x")) + left + "[" + inner + "]" + right + g.node(g.variable("y")) + "){1,2} "
	default:
		return left + "[" + inner + "]" + right
	}
}
