// name: doctor_settings
// access: read
// params: names
// returns: name value
// plan: -
// internal: none - settings of the server; it knows no nodes and no edges
// On Enterprise only those that the account may see.
SHOW SETTINGS YIELD name, value
WHERE name IN $names
RETURN name, value
