package cypher

// The statements of doctor, which checks a database and only reads.
var (
	DoctorDuplicateNodes = load("graph/doctor_duplicate_nodes")
	DoctorDuplicateEdges = load("graph/doctor_duplicate_edges")
	DoctorUnlabelled     = load("graph/doctor_unlabelled")
	DoctorServer         = load("graph/doctor_server")
	DoctorSettings       = load("graph/doctor_settings")
	DoctorProcedures     = load("graph/doctor_procedures")
	DoctorFunctions      = load("graph/doctor_functions")
	DoctorFetch          = load("graph/doctor_fetch")
)
