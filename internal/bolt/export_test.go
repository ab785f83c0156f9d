package bolt

// AcquireTimeout is how long a request may wait for connections.
const AcquireTimeout = acquireTimeout

// AcquireConnection takes a slot of the connection semaphore, as a call does.
func AcquireConnection(c *Client) { c.sem <- struct{}{} }

// ReleaseConnection releases it.
func ReleaseConnection(c *Client) { <-c.sem }
