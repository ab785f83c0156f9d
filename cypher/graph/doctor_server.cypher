// name: doctor_server
// access: schema
// params: -
// returns: name versions edition clock
// plan: ProcedureCall
// internal: none - reads the server's components
// It changes nothing. The access is schema because the server reports a statement that calls a DBMS procedure as such.
CALL dbms.components() YIELD name, versions, edition
RETURN name, versions, edition, datetime.realtime().epochMillis AS clock
