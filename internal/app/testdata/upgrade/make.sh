#!/usr/bin/env bash
# Makes a file with all that a version has stored: make.sh BINARY FILE, with an empty Neo4j in NEO4J_URI and NEO4J_HTTP_URL that it fills.
# The binary is that of the version, built from its commit. TestDataOfEarlierVersions starts today's gateway on these files.
set -euo pipefail
binary=$1 file=$2 base=http://127.0.0.1:18080
work=$(mktemp -d)
trap 'kill $gateway 2>/dev/null || true; rm -rf "$work"' EXIT
"$binary" dev --dir "$work/data" --listen "${base#http://}" >"$work/out" 2>"$work/err" & gateway=$!
until grep -q 'Ctrl-C stops it' "$work/out"; do kill -0 $gateway || { cat "$work/err" >&2; exit 1; }; sleep 0.2; done
admin=$(sed -nE 's/.*Password +(\S+).*/\1/p' "$work/out" | head -1)

log_in() {
	TOKEN=$(curl -fsS $base/api/auth/login -H 'Content-Type: application/json' -d "{\"username\":\"$1\",\"password\":\"$2\"}" |
		sed -E 's/.*"access_token":"([^"]+)".*/\1/')
}
# call METHOD PATH [BODY]: what an early version does not have yet is left out.
call() {
	curl -sS -X "$1" "$base$2" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' ${3:+-d "$3"} -o "$work/answer" -w "%{http_code} $1 $2\n" >&2
}
id() { sed -E 's/.*"id":"([^"]+)".*/\1/' "$work/answer"; }

log_in admin "$admin"
call POST /api/admin/users '{"username":"keeper","password":"the password of then","permissions":["read","create","edit","delete"],"admin":true}'
log_in keeper 'the password of then'
call PUT /api/admin/types/nodes/Airport '{"level":"strict","schema":{"type":"object","required":["code"],"properties":{"code":{"type":"string","maxLength":3}}},"unique":[["code"]]}'
call POST /api/admin/search-indexes '{"name":"places","kind":"node","types":["Airport"],"properties":["name"]}'
call POST /api/admin/roles '{"name":"northern","grants":[{"kind":"node","type":"Airport","actions":["read"],"where":{"latitude":{"gt":60.0}},"hidden":["owner"]}]}'
call POST /api/admin/users '{"username":"limited","password":"the password of then","roles":["northern"]}'
[ "$(head -c 300 "$work/answer" | grep -c '"error"')" = 0 ] || call POST /api/admin/users '{"username":"limited","password":"the password of then"}'
call POST /api/nodes '{"type":"Airport","properties":{"code":"HEL","name":"Helsinki Vantaa","latitude":60.3,"owner":"Finavia","opened":{"$type":"Date","_value":"1952-07-10"}}}'
helsinki=$(id)
call POST /api/nodes '{"type":"Airport","properties":{"code":"ZRH","name":"Zürich","latitude":47.5,"passengers":9007199254740993}}'
zurich=$(id)
call POST /api/edges "{\"type\":\"FLIGHT\",\"source_id\":\"$helsinki\",\"target_id\":\"$zurich\",\"properties\":{\"distance\":1781.5}}"
call PUT "/api/nodes/$zurich" '{"properties":{"name":"Zurich"}}'
call POST /api/nodes '{"type":"Airport","properties":{"code":"OLD","name":"Closed"}}'
call DELETE "/api/nodes/$(id)"
call POST /api/admin/webhooks '{"name":"hook","url":"https://hooks.example/graph","types":["Airport"],"enabled":false}'
call PUT /api/admin/type-styles/nodes/Airport '{"color":"#1c63b8","caption":"code"}'
call POST /api/views '{"name":"North","page":"nodes","everyone":true,"state":{"version":1,"address":"type=Airport"}}'
call POST /api/changesets "{\"title\":\"Rename\",\"operations\":[{\"op\":\"update_node\",\"id\":\"$zurich\",\"properties\":{\"name\":\"Kloten\"}}]}"
call POST /api/admin/queries '{"name":"airports","cypher":"MATCH (a:Airport) RETURN a.code AS code ORDER BY code"}'
call POST /api/admin/tokens '{"name":"service","permissions":["read"]}'
sleep 3 # the audit and the history are written
kill $gateway; wait $gateway 2>/dev/null || true

# Everything in the database as Cypher cannot tell it: values as typed JSON, which internal/typedjson reads.
python3 - "$file" <<'PYTHON'
import base64, json, os, sys, urllib.request
def query(text):
    r = urllib.request.Request(os.environ['NEO4J_HTTP_URL'] + '/db/neo4j/query/v2', json.dumps({'statement': text}).encode(), {
        'Content-Type': 'application/json', 'Accept': 'application/vnd.neo4j.query',
        'Authorization': 'Basic ' + base64.b64encode(f"neo4j:{os.environ['NEO4J_PASSWORD']}".encode()).decode()})
    return json.load(urllib.request.urlopen(r))['data']['values']
def plain(v):
    t, x = v['$type'], v['_value']
    if t == 'Map': return {k: plain(e) for k, e in x.items()}
    if t == 'List': return [plain(e) for e in x]
    if t in ('String', 'Boolean', 'Null'): return x
    if t == 'Integer': return int(x)
    if t == 'Float': return float(x)
    return v
rows = lambda text: [[plain(v) for v in row] for row in query(text)]
schema = [r[0] for r in rows("SHOW CONSTRAINTS YIELD createStatement RETURN createStatement ORDER BY createStatement")]
schema += [r[0] for r in rows("SHOW INDEXES YIELD createStatement, owningConstraint, type WHERE owningConstraint IS NULL AND type <> 'LOOKUP' RETURN createStatement ORDER BY createStatement")]
nodes = rows("MATCH (n) RETURN elementId(n), labels(n), properties(n) ORDER BY elementId(n)")
number = {n[0]: i for i, n in enumerate(nodes)}
edges = rows("MATCH (a)-[r]->(b) RETURN elementId(a), elementId(b), type(r), properties(r) ORDER BY elementId(r)")
document = {'schema': schema, 'nodes': [{'labels': n[1], 'properties': n[2]} for n in nodes],
    'edges': [{'source': number[e[0]], 'target': number[e[1]], 'type': e[2], 'properties': e[3]} for e in edges]}
with open(sys.argv[1], 'w') as f:
    json.dump(document, f, indent=1, ensure_ascii=False); f.write('\n')
PYTHON
