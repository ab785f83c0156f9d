"""Runs the generated Python client against a gateway: argv has its address, a token, and the file of values."""

import http.server
import json
import math
import sys
import threading
import urllib.request
from typing import Any, List

import graphrest_client as g

url, token, values_file = sys.argv[1:]
client = g.Client(url, token)


def raw(path: str, body: Any = None) -> Any:
    """A request without the client; numbers stay text, so that 2.0 and 2 differ."""
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
    request = urllib.request.Request(url + path, data=body, headers=headers)
    return json.loads(urllib.request.urlopen(request).read(), parse_int=str, parse_float=lambda text: "float " + text)["data"]


# every value comes as its type and goes back as it came
with open(values_file, encoding="utf-8") as file:
    properties = file.read()
created = raw("/api/nodes", ('{"type": "Value", "properties": ' + properties + "}").encode())
node = client.get_node(created["id"])
values = node.properties
assert values["largest"] == 2**63 - 1 and values["big"] == 2**53 + 1 and values["integers"] == [1, 2**53 + 1]
assert isinstance(values["whole"], float) and isinstance(values["one"], int) and values["yes"] is True
assert math.isnan(values["nan"]) and values["infinite"] == -math.inf and math.copysign(1, values["minus_zero"]) == -1
assert values["date"] == g.DateValue("2024-05-01") and values["dates"] == [g.DateValue("2024-05-01")]
assert isinstance(values["zoned_date_time"], g.ZonedDateTimeValue) and isinstance(values["point"], g.PointValue)
assert isinstance(values["bytes"], g.Base64Value) and values["$type"] == "x" and values["__proto__"] == "p"
again = client.update_node(node, values)
assert again.etag == node.etag and raw("/api/nodes/" + node.id)["properties"] == created["properties"]
copy = client.create_node("Value", values)
assert raw("/api/nodes/" + copy.id)["properties"] == created["properties"]

# nodes and edges
ann = client.create_node("Person", {"name": "Ann", "born": 1960, "height": 1.0})
ben = client.create_node("Person", {"name": "Ben", "born": 1970, "height": 2.5})
assert client.get_node(ann.id, type="Person").properties["height"] == 1.0 and ann.labels == ["Person"] and ann.etag
edge = client.create_edge("KNOWS", ann, ben, {"since": g.DateValue("2020-01-01")})
assert (edge.source_id, edge.target_id) == (ann.id, ben.id)
assert client.update_edge(edge, {"since": None, "weight": 2.0}).properties == {"weight": 2.0}
assert [e.id for e in client.list_edges("KNOWS", source=ann)] == [edge.id] == [e.id for e in client.list_node_edges(ben, direction="in")]
assert client.get_edge(edge).type == "KNOWS" and client.get_degree(ann)["out"] == 1
assert {n.id for n in client.get_neighbors(ann).nodes} == {ann.id, ben.id}
assert client.find_paths(ann, ben).paths == [[ann.id, edge.id, ben.id]]

# pages
client.batch([{"op": "create_node", "type": "Page", "properties": {"n": n, "text": "a,b"}} for n in range(7)])
pages = client.list_nodes("Page", sort=["-n"], page_size=3, count="exact")
assert [n.properties["n"] for n in pages] == [6, 5, 4, 3, 2, 1, 0]
assert [len(p.items) for p in pages.pages()] == [3, 3, 1] and next(pages.pages()).total == 7
found = client.list_nodes("Page", filter={"n": {"in": [1, 2]}, "text": "a,b"}, sort=["n"], fields=["n"])
assert [n.properties for n in found] == [{"n": 1}, {"n": 2}]
either = client.list_nodes("Page", filter={"n": {"gt": 0}}, any_of=[{"n": 5, "text": "a"}, {"n": {"lt": 3}, "text": "a,b"}], sort=["n"])
assert [n.properties["n"] for n in either] == [1, 2]
assert client.list_nodes("Nothing").first() is None

# errors
try:
    client.create_node("Person", {"name": {"no": "map"}})
    raise AssertionError("a map was accepted")
except g.GraphrestError as e:
    assert (e.code, e.status, e.details[0]["field"]) == ("VALIDATION_ERROR", 400, "properties.name") and e.request_id == e.requestId != None
for call, code in (
    (lambda: client.get_node("none"), "NOT_FOUND"), (lambda: client.get_node(ann.id, type="Page"), "NOT_FOUND"),
    (lambda: client.update_node(ann, {"born": 1}, if_match='"other"'), "PRECONDITION_FAILED"),
    (lambda: g.Client(url, "nonsense").me(), "INVALID_TOKEN"), (lambda: g.Client("http://127.0.0.1:1", "t", retries=0).me(), "NETWORK"),
):
    try:
        call()
        raise AssertionError(code + " is not raised")
    except g.GraphrestError as e:
        assert e.code == code, e

# batch, undo, history, trash
dry = client.batch([{"op": "delete_node", "id": ann.id}], dry_run=True)
assert not dry.applied and client.get_node(ann.id).properties["name"] == "Ann"
done = client.batch([
    {"op": "create_node", "ref": "c", "type": "Person", "properties": {"name": "Cleo", "height": 3.0}},
    {"op": "create_edge", "type": "KNOWS", "source_id": {"ref": "c"}, "target_id": ann.id},
    {"op": "update_node", "id": ben.id, "properties": {"born": 1971}},
])
assert done.applied and [r.op for r in done.results] == ["create_node", "create_edge", "update_node"]
cleo = done.results[0].data
assert isinstance(cleo, g.Node) and cleo.properties["height"] == 3.0
assert client.undo(request_id=done.request_id, dry_run=True).undone == 3
assert client.undo(request_id=done.request_id).undone == 3 and client.get_node(ben.id).properties["born"] == 1970
assert [c.action for c in client.list_node_history(ben)] == ["update", "update", "create"]
gone = client.delete_node(ann)
assert gone.deleted and gone.deleted_edges == 1
assert ann.id in [t["id"] for t in client.list_trash(type="Person")]
assert client.undo(request_id=gone.request_id).undone == 2 and client.get_edge(edge.id).properties == {"weight": 2.0}
assert client.read_changes("0", page_size=1).items[0].action == "create"

# a create whose answer is lost is sent again and makes one node
lost: List[str] = []


class Losing(http.server.BaseHTTPRequestHandler):
    """A proxy that loses the first answer, and answers the second request 503 with Retry-After."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        lost.append(self.headers["Idempotency-Key"])
        if len(lost) == 2:
            self.send_response(503)
            self.send_header("Retry-After", "0")
            self.end_headers()
            return
        headers = {k: v for k, v in self.headers.items() if k in ("Authorization", "Content-Type", "Idempotency-Key")}
        answer = urllib.request.urlopen(urllib.request.Request(url + self.path, data=body, headers=headers))
        text = answer.read()
        if len(lost) == 1:
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        pass


proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Losing)
threading.Thread(target=proxy.serve_forever, daemon=True).start()
once = g.Client(f"http://127.0.0.1:{proxy.server_address[1]}", token).create_node("Once", {"n": 1})
assert len(lost) == 3 and len(set(lost)) == 1 and [n.id for n in client.list_nodes("Once")] == [once.id]
proxy.shutdown()
# patterns and saved queries, with nodes and edges in cells
hops = [{"as": "p", "type": "Person", "filter": {"name": {"eq": "Ann"}}}, {"edge": "KNOWS", "as": "k"}, {"as": "f"}]
found = client.match({"match": [hops], "columns": ["p", "k", "f.name"]})
assert [c.name for c in found.columns] == ["p", "k", "f.name"] and found.records()[0]["p"].properties["height"] == 1.0
assert isinstance(found.rows[0][1], g.Edge) and found.rows[0][2] == "Ben"
assert len(list(client.match_pages({"match": [[{"as": "n", "type": "Page"}]], "limit": 3}))) == 7


def administer(method: str, path: str, body: Any) -> None:
    """A request of the administrator."""
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(url + path, json.dumps(body).encode(), headers, method=method)).close()


administer("PATCH", "/api/admin/users/" + client.me()["username"], {"permissions": ["read", "create", "edit", "delete", "query"]})
administer("POST", "/api/admin/queries", {
    "name": "who_is_born", "description": "People by year", "parameters": {"since": {"type": "integer"}},
    "cypher": "MATCH path = (p:Person)-[:KNOWS]->() WHERE p.born >= $since RETURN path, {`$type`: 1.0} AS m, p.height AS h",
})
answer = client.run("who_is_born", {"since": 1960})
assert isinstance(answer.rows[0][0], g.Path) and len(answer.rows[0][0].entities) == 3
assert answer.rows[0][1:] == [{"$type": 1.0}, 1.0] and answer.meta["version"] == 1
assert client.me()["username"] and client.get_schema()["node_types"]
print("the Python client works")
