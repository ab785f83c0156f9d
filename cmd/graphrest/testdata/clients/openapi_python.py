"""Used with the client that openapi-python-client makes of a gateway's description: see TestOtherGeneratorsForPython."""

import importlib
import pkgutil
import sys

import generated
from generated.api.nodes import create_node, delete_node, get_node, list_nodes
from generated.api.saved_queries import run_born_after
from generated.client import AuthenticatedClient
from generated.models import Error, NewNode, NewProperties, NodeAnswer, NodeListAnswer, NodePerson
from generated.models import RunBornAfterBody, RunBornAfterBodyParameters, RunBornAfterResponse200

modules = [importlib.import_module(m.name) for m in pkgutil.walk_packages(generated.__path__, "generated.")]
assert len(modules) > 300, len(modules)

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
properties = NewProperties()
properties["name"], properties["born"] = "Eve", 1990
made = create_node.sync(client=client, body=NewNode(type_="Person", properties=properties))
assert isinstance(made, NodeAnswer), made
read = get_node.sync(made.data.id, client=client)
assert isinstance(read, NodeAnswer) and read.data.properties["name"] == "Eve", read
assert NodePerson.from_dict(read.data.to_dict()).properties.born == 1990, "a type of the graph is a class with its properties"
found = list_nodes.sync(client=client, type_="Person", sort="-born", limit=1)
assert isinstance(found, NodeListAnswer) and found.data[0].id == made.data.id, found
missing = delete_node.sync("nothing", client=client)
assert isinstance(missing, Error) and missing.error.code == "NOT_FOUND", missing
table = run_born_after.sync(client=client, body=RunBornAfterBody(parameters=RunBornAfterBodyParameters(year=1980)))
assert isinstance(table, RunBornAfterResponse200) and table.data.rows == [["Eve"]], table
print("openapi-python-client works")
