package queryguard

// functions are the built-in functions of both releases that only compute from their arguments, in lower case. Missing are those that read
// files (file, linenumber), other graphs (graph.*), names of databases (db.*) or that call other services (ai.*, genai.*).
var functions = wordSet(`
abs acos acosh all allreduce any asin asinh atan atan2 atanh avg btrim ceil ceiling char_length character_length coalesce coll.distinct
coll.flatten coll.indexof coll.insert coll.max coll.min coll.remove coll.sort collect cos cosh cot coth count date date.realtime
date.statement date.transaction date.truncate datetime datetime.fromepoch datetime.fromepochmillis datetime.realtime datetime.statement
datetime.transaction datetime.truncate degrees duration duration.between duration.indays duration.inmonths duration.inseconds e elementid
element_id endnode exists exp floor format format_number haversin head id isempty isnan keys labels last left length ln local_datetime
local_time localdatetime localdatetime.realtime localdatetime.statement localdatetime.transaction localdatetime.truncate localtime
localtime.realtime localtime.statement localtime.transaction localtime.truncate log log10 lower ltrim max min nodes none normalize
nullif path_length percentile_cont percentile_disc percentilecont percentiledisc pi point point.distance point.withinbbox power
properties radians rand randomuuid range reduce relationships replace reverse right round rtrim sign sin single sinh size split sqrt
startnode stddev_pop stddev_samp stdev stdevp substring sum tail tan tanh
time time.realtime time.statement time.transaction time.truncate timestamp toboolean tobooleanlist tobooleanornull tofloat tofloatlist
tofloatornull tointeger tointegerlist tointegerornull tolower tostring tostringlist tostringornull toupper trim type upper uuid valuetype
vector vector.similarity.cosine vector.similarity.euclidean vector_dimension_count vector_distance vector_norm zoned_datetime zoned_time`)

// hits are the procedures that return entities of an index, in lower case, each with the column of the entity.
var hits = map[string]string{
	"db.index.fulltext.querynodes":         "node",
	"db.index.fulltext.queryrelationships": "relationship",
	"db.index.vector.querynodes":           "node",
	"db.index.vector.queryrelationships":   "relationship",
}

// procedures are the other built-in procedures that read nothing of the graph, in lower case.
var procedures = wordSet(`db.ping dbms.components`)
