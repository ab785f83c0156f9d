package webhook

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"
)

const (
	// defaultLease is how long a replica that was killed keeps the others from taking over; they look every defaultPoll. Both together,
	// with the time of two statements, are below 5 s.
	defaultLease = 3 * time.Second
	defaultPoll  = time.Second

	defaultWindow = 1000
	defaultKeep   = 30 * 24 * time.Hour
)

// DeliveryObserver records deliveries as metrics; *telemetry.Metrics implements it.
type DeliveryObserver interface {
	// WebhookAttempt is called after each attempt. The outcome is delivered, failed or dead.
	WebhookAttempt(outcome string)
}

type noObserver struct{}

func (noObserver) WebhookAttempt(string) {}

// Options configures a Deliverer. Zero values mean the defaults given.
type Options struct {
	Allowed  Addresses        // default: public ones only
	Observer DeliveryObserver // may be nil
	Log      *slog.Logger     // default: discards
	Keep     time.Duration    // how long dead deliveries are kept; default 30 days

	Lease, Poll          time.Duration // default 3 s and 1 s
	AttemptTimeout       time.Duration // default 10 s
	FirstDelay, MaxDelay time.Duration // between attempts, doubled each time; default 5 s and 1 h: see retryDelay
	GiveUp               time.Duration // age at which a delivery is given up; default 24 h
	Window               int           // pending and failed deliveries of a webhook at which it stops reading the feed; default 1000
}

func (o *Options) complete() {
	if o.Observer == nil {
		o.Observer = noObserver{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Window <= 0 {
		o.Window = defaultWindow
	}
	for option, value := range map[*time.Duration]time.Duration{
		&o.Keep: defaultKeep, &o.Lease: defaultLease, &o.Poll: defaultPoll, &o.AttemptTimeout: defaultAttemptTimeout,
		&o.FirstDelay: defaultFirstDelay, &o.MaxDelay: defaultMaxDelay, &o.GiveUp: defaultGiveUp,
	} {
		if *option <= 0 {
			*option = value
		}
	}
}

// Deliverer sends changes to webhooks while it holds the lease, which one replica at a time has. Its method Run may be called once.
type Deliverer struct {
	queue   Queue
	feed    Feed
	options Options
	sender  *sender

	running sync.WaitGroup // of the workers
	mu      sync.Mutex
	workers map[string]*worker // by uid of the webhook
}

// NewDeliverer creates a deliverer. It does nothing before Run.
func NewDeliverer(q Queue, f Feed, o Options) *Deliverer {
	o.complete()
	return &Deliverer{queue: q, feed: f, options: o, sender: newSender(o.Allowed, o.AttemptTimeout), workers: map[string]*worker{}}
}

// Run delivers until the context ends. Attempts under way are then cut off; they are made again later.
func (d *Deliverer) Run(ctx context.Context) {
	defer d.sender.close()
	tick := time.NewTicker(d.options.Poll)
	defer tick.Stop()
	for {
		if wanted, err := d.queue.Wanted(ctx); err == nil && wanted && ctx.Err() == nil {
			d.takeOver(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// OldestUndelivered is the age of the oldest change that this replica has read and not delivered; 0 if there is none.
func (d *Deliverer) OldestUndelivered() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	var oldest time.Duration
	for _, w := range d.workers {
		if at := w.oldest.Load(); at != 0 {
			oldest = max(oldest, time.Since(time.UnixMicro(at)))
		}
	}
	return oldest
}

// takeOver tries to take the lease, and delivers until it is lost, no webhook is enabled or the context ends. The lease is counted from
// before it was asked for, so it ends here before it ends in the database.
func (d *Deliverer) takeOver(ctx context.Context) {
	holder, began := rand.Text(), time.Now()
	lease, err := d.hold(ctx, holder)
	if err != nil || !lease.Held {
		return
	}
	d.options.Log.Info("this replica delivers the webhooks now")
	held, end := context.WithCancel(ctx)
	expiry := time.AfterFunc(time.Until(began.Add(d.options.Lease)), end)
	d.renew(held, holder, lease.Version, expiry)
	end()
	expiry.Stop()
	d.running.Wait()
	d.forgetWorkers()
	if err := d.queue.Release(context.WithoutCancel(ctx), holder); err != nil {
		d.options.Log.Debug("the lease of the webhooks was not released", "error", err.Error())
	}
}

func (d *Deliverer) hold(ctx context.Context, holder string) (Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, d.options.Lease)
	defer cancel()
	return d.queue.Hold(ctx, holder, d.options.Lease)
}

// renew renews the lease and keeps a worker for each enabled webhook, until the context ends, another replica has the lease, or no webhook
// is enabled.
func (d *Deliverer) renew(ctx context.Context, holder string, version int64, expiry *time.Timer) {
	tick := time.NewTicker(d.options.Lease / 3)
	defer tick.Stop()
	known := int64(-1)
	for {
		if version != known {
			switch enabled, err := d.startWorkers(ctx, holder); {
			case err != nil:
				d.options.Log.Warn("the webhooks could not be read", "error", err.Error())
			case enabled == 0:
				return
			default:
				known = version
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		began := time.Now()
		lease, err := d.hold(ctx, holder)
		if err != nil {
			continue // the timer ends the context in time
		}
		if !lease.Held {
			return
		}
		expiry.Reset(time.Until(began.Add(d.options.Lease)))
		version = lease.Version
	}
}

// startWorkers reads the webhooks, and starts a worker for each that is new or was changed, once its old one has ended.
func (d *Deliverer) startWorkers(ctx context.Context, holder string) (enabled int, err error) {
	read, cancel := context.WithTimeout(ctx, d.options.Lease)
	defer cancel()
	webhooks, err := d.queue.Webhooks(read)
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	wanted := map[string]bool{}
	for i := range webhooks {
		w := &webhooks[i]
		if !w.Enabled {
			continue
		}
		wanted[w.UID] = true
		old := d.workers[w.UID]
		if old == nil || old.hasEnded() || old.webhook.Revision != w.Revision {
			d.workers[w.UID] = startWorker(ctx, d, *w, holder, old)
		}
	}
	for uid, w := range d.workers {
		if !wanted[uid] {
			w.stop() // it stays here until it has ended, in case its webhook is enabled again before
		}
		if w.hasEnded() {
			delete(d.workers, uid)
		}
	}
	return len(wanted), nil
}

func (d *Deliverer) forgetWorkers() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.workers)
}
