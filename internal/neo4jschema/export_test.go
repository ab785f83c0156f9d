package neo4jschema

import "time"

// LockNames keeps others from adding names until release is called; the known names count as recent.
func LockNames(n *Names) (release func()) {
	n.adding <- struct{}{}
	n.mu.Lock()
	n.at = time.Now()
	n.mu.Unlock()
	return func() { <-n.adding }
}

// ExpireNames makes the known names too old to be used.
func ExpireNames(n *Names) {
	n.adding <- struct{}{}
	n.mu.Lock()
	n.at = time.Time{}
	n.mu.Unlock()
	<-n.adding
}
