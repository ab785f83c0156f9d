package bolt

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"
)

// firstConnectTimeout bounds the first connection attempt when a store is opened. It may fail: the database may start later.
const firstConnectTimeout = 2 * time.Second

// NewDriver creates a driver and makes it connect once, or try to. The driver (5.28.5, connector.go) sets a field of its connector in its
// first connect without a lock, so two concurrent first connects would be a data race.
func NewDriver(uri, username, password string, more func(*config.Config)) (neo4j.DriverWithContext, error) {
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(username, password, ""), func(o *config.Config) {
		o.TelemetryDisabled = true
		o.NotificationsMinSeverity = notifications.DisabledLevel
		more(o)
	})
	if err != nil {
		return nil, errors.New("the address of the database is not usable") // the driver's message could contain the address
	}
	ctx, cancel := context.WithTimeout(context.Background(), firstConnectTimeout)
	defer cancel()
	_ = driver.VerifyConnectivity(ctx)
	return driver, nil
}

// UsesRouting reports whether a driver with this address chooses a server of a cluster for each session, by the session's access mode.
func UsesRouting(uri string) bool { return strings.HasPrefix(strings.ToLower(uri), "neo4j") }
