// name: make_label
// access: write
// params: label
// returns: -
// plan: -
// internal: none - makes the name of a label that the domain accepts
CALL db.createLabel($label)
