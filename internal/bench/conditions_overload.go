package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"
)

const (
	overloadClients = 1000
	fullClients     = 128 // as many as the gateway serves well
	calmClients     = 8   // before the overload and after it
	calmSeconds     = 5   // windows of one second before the overload
	recoverySeconds = 15  // windows of one second after it at most
	recovered       = 1.5 // times the p99 of the windows before: the latency is back
	fullDivisor     = 5   // of the time of the overload: how long fullClients are measured, before and after
)

// OverloadResult is what happens when there are far too many clients. Times of one request are milliseconds.
type OverloadResult struct {
	Before, After, Overload Round  // fullClients before and after, overloadClients between
	Refused, Unannounced    int    // answers of 503 to overloadClients, and how many of them had no Retry-After
	RefusedMax              Number // how long the slowest took
	Failed                  int    // other requests of overloadClients without the right answer
	FirstFailure            string
	PeakMiB                 Number   // most resident memory of the gateway during the overload
	Calm                    Number   // median p99 of one second before
	Recovery                []Number // p99 of each second after
	RecoveredAfter          Number   // seconds until the p99 of a second is back; NaN if it is not
}

// measureOverload measures the gateway with 128 clients, then with 1,000, then how fast its latency is back, and with 128 again. A client
// that is refused sends its next request after a few milliseconds, not after Retry-After.
func (c *conditions) measureOverload(ctx context.Context) error {
	if err := c.start(ctx, Gateway); err != nil {
		return err
	}
	defer c.stop()
	o := new(OverloadResult)
	var calm []float64
	for range calmSeconds {
		p99, err := c.calmSecond(ctx)
		if err != nil {
			return err
		}
		calm = append(calm, p99)
	}
	o.Calm = Number(Median(calm))
	full := turn{Operation: BusyMix, Clients: fullClients, Duration: c.options.Overload / fullDivisor}
	var err error
	if o.Before, err = c.play(ctx, Gateway, full); err != nil {
		return err
	}
	if err := c.playOverload(ctx, o); err != nil {
		return err
	}
	if err := c.awaitRecovery(ctx, o); err != nil {
		return err
	}
	if o.After, err = c.play(ctx, Gateway, full); err != nil {
		return err
	}
	c.result.Overload = o
	c.progress("%d clients %s/s and %s/s, %d clients %s/s, p99 %s ms, %s MiB, %d refused, %d failed, back after %s s", fullClients,
		Short(o.Before.OpsPerSecond), Short(o.After.OpsPerSecond), overloadClients, Short(o.Overload.OpsPerSecond), Short(o.Overload.P99),
		Short(o.PeakMiB), o.Refused, o.Failed, Short(o.RecoveredAfter))
	return nil
}

// calmSecond returns the p99 of a second with few clients.
func (c *conditions) calmSecond(ctx context.Context) (float64, error) {
	round, err := c.play(ctx, Gateway, turn{Operation: BusyMix, Clients: calmClients, Duration: time.Second})
	return float64(round.P99), err
}

func (c *conditions) playOverload(ctx context.Context, o *OverloadResult) error {
	g := c.gateways[Gateway]
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", g.pid()), []byte("5"), 0) // resets the peak (proc_pid_clear_refs(5))
	result, err := c.loads[Gateway].ask(ctx, turn{Operation: BusyMix, Clients: overloadClients, Duration: c.options.Overload})
	if err != nil {
		return err
	}
	if result.Operations == 0 {
		return fmt.Errorf("all %d requests failed, first: %s", result.Errors, result.FirstError)
	}
	o.PeakMiB = Number(peakMiB(g.pid()))
	o.Overload = Round{
		Operations: result.Operations, Errors: result.Errors, FirstError: result.FirstError, Seconds: Number(result.Elapsed.Seconds()),
		OpsPerSecond: Number(Ratio(float64(result.Operations), result.Elapsed.Seconds())),
		P50:          milliseconds(result.P50), P99: milliseconds(result.P99), Max: milliseconds(result.Max),
	}
	o.Refused, o.Unannounced, o.RefusedMax = result.Refused, result.Unannounced, milliseconds(result.RefusedMax)
	if o.Failed = result.Errors - result.Refused; o.Failed > 0 {
		o.FirstFailure = result.FirstError
	}
	return nil
}

// awaitRecovery measures second after second until the latency is back.
func (c *conditions) awaitRecovery(ctx context.Context, o *OverloadResult) error {
	o.RecoveredAfter = Number(math.NaN())
	for second := 1; second <= recoverySeconds; second++ {
		p99, err := c.calmSecond(ctx)
		if err != nil {
			return err
		}
		o.Recovery = append(o.Recovery, Number(p99))
		if p99 <= recovered*float64(o.Calm) {
			o.RecoveredAfter = Number(second)
			return nil
		}
	}
	return nil
}
