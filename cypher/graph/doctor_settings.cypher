// name: doctor_settings
// access: read
// params: names
// returns: name value
// plan: -
// internal: none - settings of the server; it reads no nodes and no edges
// On Enterprise it returns only the settings that the account may see.
SHOW SETTINGS YIELD name, value
WHERE name IN $names
RETURN name, value
