package faulttest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// What `make soak` sets.
const (
	soakVariable   = "SOAK"          // how long the load lasts; default 5s
	loginsVariable = "LOGIN_SAMPLES" // rejected logins of each kind that are timed; default 3
	soakReport     = "SOAK_REPORT"   // file that the figures are written to
)

// TestSoak runs the load for a long time in `make soak`, and briefly otherwise.
func TestSoak(t *testing.T) {
	testmark.Long(t)
	w := newTestbed(t, "GRAPHREST_TRUSTED_PROXIES=127.0.0.1")
	for name, part := range map[string]func(*testing.T, *testbed){"load": soak, "logins": compareRefusedLogins} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			part(t, w)
		})
	}
	w.t = t
}

// soak keeps two gateways under load: their memory and goroutines must not grow over time.
func soak(t *testing.T, w *testbed) {
	lasts, err := time.ParseDuration(valueOr(os.Getenv(soakVariable), "5s"))
	require.NoError(t, err)
	var numbers atomic.Int64
	l := w.startLoad(&numbers, 8)
	const samples = 20
	var taken []usage
	for range samples {
		time.Sleep(lasts / samples)
		taken = append(taken, w.currentUsage())
	}
	l.end()
	require.Empty(t, l.violations, w.logs())
	require.Empty(t, l.unanswered)
	f := w.count(l)
	require.Zero(t, f.lost+f.doubled+f.returned+f.wrongValue)

	// The first quarter is the warm-up; the others should be alike.
	memory := func(u usage) float64 { return u.memory }
	second, last := median(taken[samples/4:samples/2], memory), median(taken[3*samples/4:], memory)
	if lasts >= time.Minute {
		require.Less(t, last, 1.2*second+4e6, "memory grows: %v", taken)
		goroutines := func(u usage) float64 { return u.goroutines }
		require.LessOrEqual(t, median(taken[3*samples/4:], goroutines), median(taken[samples/4:samples/2], goroutines)+4*poolSize,
			"goroutines grow")
	}
	report := fmt.Sprintf(
		"Eight clients kept two gateways busy for %s: %d requests were acknowledged, %d refused, none lost, none doubled. Resident memory of\n"+
			"a gateway: %.1f MB in the second quarter of that time and %.1f MB in the last (medians); goroutines at the end: %.0f.\n",
		lasts, f.acknowledged, f.refused, second/1e6, last/1e6, taken[samples-1].goroutines)
	t.Log("\n" + report)
	writeReport(t, "make soak, load", report)
}

// compareRefusedLogins times logins with a wrong password and with an unknown name, alternately, each from a different
// address. With few samples it shows only that they can be timed.
func compareRefusedLogins(t *testing.T, w *testbed) {
	samples, err := strconv.Atoi(valueOr(os.Getenv(loginsVariable), "3"))
	require.NoError(t, err)
	for i := range samples {
		w.createUser(fmt.Sprintf("user%04d", i))
	}
	var known, unknown []float64
	for i := range samples {
		sorts := []func(){
			func() { known = append(known, w.refusedLogin(fmt.Sprintf("user%04d", i), 2*i)) },
			func() { unknown = append(unknown, w.refusedLogin(fmt.Sprintf("none%04d", i), 2*i+1)) },
		}
		if i%2 == 1 {
			slices.Reverse(sorts)
		}
		for _, one := range sorts {
			one()
		}
	}
	self := func(f float64) float64 { return f }
	ratio := median(known, self) / median(unknown, self)
	if samples >= 100 {
		require.InDelta(t, 1, ratio, 0.2)
	}
	distance, probability := kolmogorovSmirnov(known, unknown)
	report := fmt.Sprintf("Refused logins, %d with a wrong password and as many with an unknown name: medians %.1f ms and %.1f ms, "+
		"a ratio of %.3f; the\ntwo-sample Kolmogorov-Smirnov test gives D = %.3f and p = %.2f.\n",
		samples, 1e3*median(known, self), 1e3*median(unknown, self), ratio, distance, probability)
	t.Log("\n" + report)
	writeReport(t, "make soak, logins", report)
}

// createUser creates a user with the permission read.
func (w *testbed) createUser(name string) {
	w.t.Helper()
	body := fmt.Sprintf(`{"username":%q,"password":"some long enough words","permissions":["read"]}`, name)
	status, answer, err := w.request(w.gateways[0], http.MethodPost, "/api/admin/users", body)
	require.NoError(w.t, err)
	require.Equal(w.t, http.StatusCreated, status, answer)
}

// refusedLogin returns the seconds that a login with a wrong password takes, from the address with this number.
func (w *testbed) refusedLogin(name string, address int) float64 {
	w.t.Helper()
	body, err := json.Marshal(map[string]string{"username": name, "password": "not the right words"})
	require.NoError(w.t, err)
	from := fmt.Sprintf("198.51.%d.%d", address/250, address%250+1)
	client := w.clientOf(w.gateways[0])
	client.Token = ""
	began := time.Now()
	answer, err := client.Send(w.t.Context(), http.MethodPost, "/api/auth/login", string(body), "X-Forwarded-For", from)
	took := time.Since(began).Seconds()
	require.NoError(w.t, err)
	require.Equal(w.t, http.StatusUnauthorized, answer.Status)
	return took
}

func valueOr(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// median returns the median of values of all.
func median[T any](all []T, of func(T) float64) float64 {
	values := make([]float64, len(all))
	for i, one := range all {
		values[i] = of(one)
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// kolmogorovSmirnov returns the largest distance of two empirical distributions, and the probability of one at least as large if both
// samples have the same distribution (the asymptotic series of Kolmogorov, with Stephens' correction for small samples).
func kolmogorovSmirnov(one, other []float64) (distance, probability float64) {
	one, other = slices.Sorted(slices.Values(one)), slices.Sorted(slices.Values(other))
	n, m := float64(len(one)), float64(len(other))
	for i, j := 0, 0; i < len(one) && j < len(other); {
		x := min(one[i], other[j])
		for i < len(one) && one[i] <= x {
			i++
		}
		for j < len(other) && other[j] <= x {
			j++
		}
		distance = max(distance, math.Abs(float64(i)/n-float64(j)/m))
	}
	root := math.Sqrt(n * m / (n + m))
	lambda := (root + 0.12 + 0.11/root) * distance
	if lambda < 0.2 {
		return distance, 1
	}
	for k := 1; k <= 100; k++ {
		sign := 1.0
		if k%2 == 0 {
			sign = -1
		}
		probability += 2 * sign * math.Exp(-2*float64(k*k)*lambda*lambda)
	}
	return distance, min(1, max(0, probability))
}

func TestKolmogorovSmirnov(t *testing.T) {
	ramp := func(count int, shift float64) (values []float64) {
		for i := range count {
			values = append(values, float64(i)/float64(count)+shift)
		}
		return values
	}
	_, same := kolmogorovSmirnov(ramp(500, 0), ramp(400, 0))
	require.Greater(t, same, 0.99)
	distance, shifted := kolmogorovSmirnov(ramp(500, 0), ramp(500, 0.2))
	require.InDelta(t, 0.2, distance, 0.01)
	require.Less(t, shifted, 1e-6)
}

// writeReport writes figures to the file that SOAK_REPORT names.
func writeReport(t *testing.T, of, report string) {
	t.Helper()
	if file := os.Getenv(soakReport); file != "" && !t.Failed() {
		write(t, file, of, report)
	}
}
