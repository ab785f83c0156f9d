package neo4jstore

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"
)

// firstConnect bounds how long opening a store tries to connect. It need not succeed: the database may come later.
const firstConnectTimeout = 2 * time.Second

// newDriver makes a driver and has it connect once, or try to. The driver (5.28.5, connector.go) fills a field of its connector
// in its first connect without a lock, so that two first connects at the same moment would be a data race.
func newDriver(uri, username, password string, more func(*config.Config)) (neo4j.DriverWithContext, error) {
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(username, password, ""), func(o *config.Config) {
		o.TelemetryDisabled = true
		o.NotificationsMinSeverity = notifications.DisabledLevel
		more(o)
	})
	if err != nil {
		return nil, errors.New("the address of the database is not usable") // the driver's text could quote the address
	}
	ctx, cancel := context.WithTimeout(context.Background(), firstConnectTimeout)
	defer cancel()
	_ = driver.VerifyConnectivity(ctx)
	return driver, nil
}

// routes says whether a driver of this address chooses a server of a cluster for each session, by what the session is for.
func usesRouting(uri string) bool { return strings.HasPrefix(strings.ToLower(uri), "neo4j") }
