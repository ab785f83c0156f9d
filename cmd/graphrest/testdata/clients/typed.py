"""Uses of the generated client whose types mypy checks."""

from typing import List, Optional

import graphrest_client as g


def names(client: g.Client) -> List[str]:
    """Reads a property whose type is known."""
    found: List[str] = []
    for person in client.list_nodes("Person", filter={"born": {"gte": 1960}}):
        born: int = person.properties.get("born", 0)
        found.append(person.properties["name"] + str(born))
    return found


def make(client: g.Client, type: str) -> Optional[str]:
    """Creates nodes of a known type and of one that is known at run time only."""
    ann = client.create_node("Person", {"name": "Ann", "born": 1960})
    height: float = client.update_node(ann, {"height": 1.5}).properties["height"]
    client.create_edge("KNOWS", ann, client.create_node(type, {"n": height}))
    return client.get_node(ann.id, type="Person").etag
