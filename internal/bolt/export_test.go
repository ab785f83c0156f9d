package bolt

// AcquireTimeout is how long a request may wait for connections.
const AcquireTimeout = acquireTimeout

// ErrPoolExhausted is the failure of a call that got no connection in time.
var ErrPoolExhausted = errPoolExhausted

// AcquireConnection takes a slot of the connection semaphore, as a call does.
func AcquireConnection(c *Client) { c.sem <- struct{}{} }

// ReleaseConnection releases it.
func ReleaseConnection(c *Client) { <-c.sem }
