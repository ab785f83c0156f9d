"""What Schemathesis cannot know: how to log in, that logging out ends a token, and what exists."""

import itertools
import json
import os

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

URL = os.environ["CONTRACT_URL"]
USERNAME, PASSWORD = os.environ["CONTRACT_USERNAME"], os.environ["CONTRACT_PASSWORD"]
LOGOUT = "/api/auth/logout"
# The cases fail to log in, over and over, which slows down their address. The gateway under test trusts this header, so
# that what has to succeed is another client.
ELSEWHERE = {"X-Forwarded-For": "192.0.2.1"}


def log_in(username=USERNAME, password=PASSWORD):
    answer = requests.post(
        URL + "/api/auth/login", json={"username": username, "password": password}, headers=ELSEWHERE, timeout=20
    )
    answer.raise_for_status()
    return answer.json()["access_token"]


# Lines go over the wire as text does. What the cases send as lines is nearly always none that the import takes, and an
# answer of counts and mistakes is right.
schemathesis.serializer.alias("application/x-ndjson", "text/plain")


@schemathesis.deserializer("application/x-ndjson")
def read_lines(context, response):
    """An import's answer is described by its last line, an export as text."""
    text = response.content.decode()
    last = json.loads(text.splitlines()[-1])
    return last if "meta" in last else text


given = set()


class Session:
    def get(self, case, context):
        return log_in()

    def set(self, case, data, context):
        given.add("Bearer " + data)
        case.headers = case.headers or {}
        case.headers["Authorization"] = "Bearer " + data


@schemathesis.auth(refresh_interval=1800).skip_for(path=LOGOUT)
class Lasting(Session):
    """One token for all operations."""


@schemathesis.auth(refresh_interval=None).apply_to(path=LOGOUT)
class Fresh(Session):
    """A token for one call, since the call ends it."""


TOKEN = log_in()
numbers = itertools.count(1)


def post(path, body):
    answer = requests.post(URL + path, json=body, headers={"Authorization": "Bearer " + TOKEN}, timeout=20)
    answer.raise_for_status()
    return answer.json()["data"]


def new_node():
    return post("/api/nodes", {"type": "Person", "properties": {"name": "Ann"}})["id"]


def new_edge():
    return post("/api/edges", {"type": "KNOWS", "source_id": new_node(), "target_id": new_node()})["id"]


def new_user():
    return post("/api/admin/users", {"username": f"user-{next(numbers)}", "password": PASSWORD})["username"]


def new_search_index():
    name = f"search-{next(numbers)}"
    return post("/api/admin/search-indexes", {"name": name, "kind": "node", "types": ["Person"], "properties": [name]})["name"]


def new_index():
    name = f"index-{next(numbers)}"
    body = {"name": name, "entity": "node", "type": "Person", "kind": "range", "properties": [name]}
    return post("/api/admin/indexes", body)["name"]


def new_role():
    return post("/api/admin/roles", {"name": f"role-{next(numbers)}", "grants": []})["name"]


def new_webhook():
    body = {"name": f"webhook-{next(numbers)}", "url": "https://hooks.example/graph", "enabled": False}
    return post("/api/admin/webhooks", body)["name"]


def new_token():
    return post("/api/admin/tokens", {"name": f"token {next(numbers)}", "permissions": ["read"]})["id"]


def new_view():
    return post("/api/views", {"name": f"view {next(numbers)}", "page": "nodes", "state": {"version": 1}})["id"]


def new_change_set():
    operation = {"op": "create_node", "type": "Person", "properties": {"name": "Ann"}}
    return post("/api/changesets", {"title": "A node", "operations": [operation]})["id"]


BOOKMARK = "Graphrest-Bookmark"
DECLARED = "Declared"
# Always the same, with a node: a new type for every case would make Neo4j plan all statements again, over more types each time.
post("/api/nodes", {"type": DECLARED, "properties": {"name": "Ann"}})


def declared_type():
    """A declared node type. It is declared for the record only, so that it keeps no other case from anything."""
    answer = requests.put(
        URL + "/api/admin/types/nodes/" + DECLARED,
        json={"level": "none", "schema": {}}, headers={"Authorization": "Bearer " + TOKEN}, timeout=20,
    )
    answer.raise_for_status()
    return DECLARED


# What is in a collection, and how to make it.
makers = {
    "/api/nodes": new_node,
    "/api/edges": new_edge,
    "/api/changesets": new_change_set,
    "/api/views": new_view,
    "/api/admin/history": lambda: "nodes",
    "/api/admin/history/{kind}": new_node,
    "/api/admin/indexes": new_index,
    "/api/admin/roles": new_role,
    "/api/admin/search-indexes": new_search_index,
    "/api/admin/tokens": new_token,
    "/api/admin/types": lambda: "nodes",
    "/api/admin/types/{kind}": declared_type,
    "/api/admin/users": new_user,
    "/api/admin/webhooks": new_webhook,
}
# Of these a new one for each case would be too many: there are limits, creating an index makes Neo4j plan all statements again, and
# a user's password is hashed. All cases take the same one, until a case deletes it.
kept_collections = {
    "/api/views",
    "/api/admin/indexes",
    "/api/admin/roles",
    "/api/admin/search-indexes",
    "/api/admin/tokens",
    "/api/admin/users",
    "/api/admin/webhooks",
}
kept = {}


def existing(case, name):
    """Something in the collection before a parameter of the path, or what the case has there."""
    collection = case.operation.path.split("/{" + name + "}")[0]
    if collection not in makers:
        return case.path_parameters[name]
    if collection not in kept_collections:
        return makers[collection]()
    if collection not in kept:
        kept[collection] = makers[collection]()
    return kept[collection]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Let every other case succeed as far as what exists goes, which no schema can say, except where a chain of calls brings
    its own; and spare the user and the types of the run, which lists name, without which no other case could be asked."""
    path = case.path_parameters or {}
    if path.get("username") == USERNAME:
        path["username"] = "somebody-else"
    if path.get("type") in ("Person", "KNOWS"):
        path["type"] = DECLARED
    give_bookmark(case)
    give_view(case)
    if case.meta is None or case.meta.phase.name == TestPhase.STATEFUL or next(numbers) % 2:
        return
    if path and not case.meta.is_negative_at(ParameterLocation.PATH):
        for name in path:
            path[name] = existing(case, name)
    if isinstance(case.body, dict) and not case.meta.is_negative_at(ParameterLocation.BODY):
        fill(case)


# The latest bookmark that the service has given, if any.
bookmarks = []


@schemathesis.hook
def after_call(context, case, response):
    collection = case.operation.path.rsplit("/{", 1)[0]
    if case.method == "DELETE" and response.status_code < 300:
        kept.pop(collection, None)
    if given_now := response.headers.get(BOOKMARK.lower()):
        bookmarks[:] = given_now


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Parts of an address can be longer together than the header of a request may be: net/http answers 431 itself."""
    return response.status_code != 431


def give_bookmark(case):
    """A bookmark that is made up is refused, and no schema can say which are not: take the latest one that the service gave,
    or none, unless the case is about a header that is wrong."""
    headers = case.headers or {}
    if BOOKMARK not in headers or (case.meta is not None and case.meta.is_negative_at(ParameterLocation.HEADER)):
        return
    if bookmarks:
        headers[BOOKMARK] = bookmarks[0]
    else:
        del headers[BOOKMARK]


VIEW_AS = "Graphrest-View-As"


def give_view(case):
    """No schema can say which users exist: view as the user of the run, unless the case is about a header that is wrong."""
    headers = case.headers or {}
    if VIEW_AS in headers and not (case.meta is not None and case.meta.is_negative_at(ParameterLocation.HEADER)):
        headers[VIEW_AS] = "user:" + USERNAME


def fill(case):
    """Put into a body what has to be true."""
    body, operation = case.body, case.operation.path
    if operation == "/api/edges":
        body["source_id"], body["target_id"] = new_node(), new_node()
        # A new type makes Neo4j plan all statements again, so most are of one that is there.
        if next(numbers) % 4:
            body["type"] = "KNOWS"
    elif operation == "/api/nodes":
        body["type"] = "Person"
    elif operation == "/api/admin/search-indexes":
        body.pop("analyzer", None)
    elif operation == "/api/auth/login":
        body["username"], body["password"] = USERNAME, PASSWORD
        case.headers.update(ELSEWHERE)
    elif operation == "/api/auth/password" and (case.headers or {}).get("Authorization") in given:
        # Of a separate user: a changed password ends all tokens. A token that the case made up stays.
        user = new_user()
        case.headers["Authorization"] = "Bearer " + log_in(user)
        body["current_password"] = PASSWORD
