package app

import (
	"log/slog"

	"github.com/sethvargo/go-limiter"

	"graphrest/internal/config"
	"graphrest/internal/httpapi"
	"graphrest/internal/sharedlimit"
)

// openRates creates the store of request counts: in memory, or in Redis if one is configured. It does not connect.
func openRates(c *config.Config, log *slog.Logger) (limiter.Store, error) {
	memory, err := httpapi.NewRateStore(c.Rate.Period)
	if err != nil || c.Rate.RedisURL.Empty() {
		return memory, err
	}
	return sharedlimit.New(sharedlimit.Options{
		URL: c.Rate.RedisURL.Reveal(), Tokens: httpapi.RateCeiling, Interval: c.Rate.Period, Memory: memory, Log: log,
	})
}
