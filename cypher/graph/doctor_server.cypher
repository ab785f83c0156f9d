// name: doctor_server
// access: schema
// params: -
// returns: name versions edition clock
// plan: ProcedureCall
// internal: none - asks the server about itself
// It changes nothing; the server itself reports a statement that calls a procedure of the DBMS as one on the schema.
CALL dbms.components() YIELD name, versions, edition
RETURN name, versions, edition, datetime.realtime().epochMillis AS clock
