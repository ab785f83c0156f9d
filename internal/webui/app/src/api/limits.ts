// Limits of the API that several pages need. A test compares them with the OpenAPI description.

/** The maximum of the parameter limit of lists, of the change feed and of the neighbors of a node. */
export const maxLimit = 1000;
