package auth

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
)

// ServiceTokens lists all service tokens by name, expired ones included. DATABASE_UNAVAILABLE.
func (s *Service) ServiceTokens(ctx context.Context) ([]ServiceToken, error) {
	if err := s.refreshNow(ctx); err != nil {
		return nil, err
	}
	return s.cache.serviceTokens(), nil
}

// CreateServiceToken adds a service token. The maker is the administrator who creates it, and nil on the command line. A token cannot have
// a permission that its maker lacks: otherwise an administrator without access to data would have it by a token, without any trace at the
// account itself.
// VALIDATION_ERROR, also for a role that does not exist, PERMISSION_DENIED, CONFLICT if the name is taken, DATABASE_UNAVAILABLE.
func (s *Service) CreateServiceToken(ctx context.Context, maker *Principal, n NewServiceToken) (CreatedServiceToken, error) {
	now := s.now()
	if n.ExpiresAt.IsZero() {
		n.ExpiresAt = now.Add(DefaultTokenTTL)
	}
	if err := fault.Merge(CheckTokenName("name", n.Name), checkPermissions(n.Permissions), CheckRoleNames("roles", n.Roles),
		CheckTokenExpiry("expires_at", n.ExpiresAt, now), CheckRateLimit(n.RateLimit)); err != nil {
		return CreatedServiceToken{}, err
	}
	if err := checkMaker(maker, n); err != nil {
		return CreatedServiceToken{}, err
	}
	if len(n.Roles) > 1 { // the limit of one role is lower
		if err := s.refreshNow(ctx); err != nil {
			return CreatedServiceToken{}, err
		}
		if err := s.checkUserConditions(n.Roles); err != nil {
			return CreatedServiceToken{}, err
		}
	}
	id, err := uuid.NewV7()
	if err != nil {
		return CreatedServiceToken{}, fault.Wrap(err, fault.Internal, "Internal error")
	}
	secret := newSecret(serviceTokenPrefix)
	stored, err := s.store.CreateServiceToken(ctx, StoredToken{
		ServiceToken: ServiceToken{
			ID: id.String(), Name: n.Name, Permissions: sortPermissions(n.Permissions), Roles: n.Roles, RateLimit: n.RateLimit,
			CreatedAt: s.timestamp(), CreatedBy: audit.ActorFrom(ctx).User, CreatedByID: audit.ActorFrom(ctx).UserID,
			ExpiresAt: n.ExpiresAt.UTC().Truncate(time.Millisecond),
		},
		Folded: FoldUsername(n.Name), Hash: hashSecret(secret),
	})
	if err != nil {
		return CreatedServiceToken{}, err
	}
	s.log.Info("service token created", "token_id", stored.ID, "expires_at", stored.ExpiresAt)
	return CreatedServiceToken{stored.public(), secret}, s.cacheOwnToken(ctx, stored)
}

// DeleteServiceToken ends the service token with an id. NOT_FOUND, DATABASE_UNAVAILABLE.
func (s *Service) DeleteServiceToken(ctx context.Context, id string) error {
	stored, err := s.store.DeleteToken(ctx, id, "", s.timestamp())
	if err != nil {
		return err
	}
	s.log.Info("service token deleted", "token_id", stored.ID)
	return s.cacheOwnToken(ctx, stored)
}

// CountServiceTokens returns how many service tokens expire within a time, and how many have expired and not been deleted.
func (s *Service) CountServiceTokens(within time.Duration) (expiring, expired int) {
	var ends []time.Time
	for _, t := range s.cache.serviceTokens() {
		ends = append(ends, t.ExpiresAt)
	}
	return countExpiring(ends, s.now(), within)
}

// countExpiring counts the times within a time from now, and those that have passed.
func countExpiring(ends []time.Time, now time.Time, within time.Duration) (expiring, expired int) {
	for _, end := range ends {
		switch left := end.Sub(now); {
		case left <= 0:
			expired++
		case left <= within:
			expiring++
		}
	}
	return expiring, expired
}

// cacheOwnToken caches an own change. If a newer version is cached already, it refreshes from the database instead.
func (s *Service) cacheOwnToken(ctx context.Context, t StoredToken) error {
	if s.cache.putOwnToken(t) {
		return nil
	}
	return s.refreshNow(ctx)
}

// CheckTokenName returns a fault that names the field if a text cannot be the name of a service token or a personal token, or nil.
func CheckTokenName(field, name string) *fault.Error { return checkName(field, name) }

// CheckTokenExpiry returns a fault that names the field unless a time is in the future and at most a year ahead.
func CheckTokenExpiry(field string, at, now time.Time) *fault.Error {
	if !at.After(now) || at.After(now.AddDate(1, 0, 0)) {
		return fault.Invalid(field, "must be in the future and at most one year ahead")
	}
	return nil
}

// checkMaker rejects permissions and roles that the maker of a token lacks; all permissions include every role. PERMISSION_DENIED.
func checkMaker(maker *Principal, n NewServiceToken) error {
	if maker == nil {
		return nil
	}
	if err := maker.RequireLogin(); err != nil {
		return err
	}
	lacks := func(p Permission) bool { return !maker.May(p) }
	if i := slices.IndexFunc(n.Permissions, lacks); i >= 0 {
		return fault.New(fault.PermissionDenied, "Permission denied: you cannot give a service token the permission "+
			string(n.Permissions[i])+", which you do not have")
	}
	isForeign := func(role string) bool { return !slices.Contains(maker.Roles, role) }
	if slices.ContainsFunc(GraphPermissions(), lacks) && slices.ContainsFunc(n.Roles, isForeign) {
		return fault.New(fault.PermissionDenied, "Permission denied: you cannot give a service token a role that you do not have, "+
			"unless you have all permissions")
	}
	return nil
}

// TokenNameTaken is the CONFLICT of a second service token with the same folded name.
func TokenNameTaken() error {
	return fault.New(fault.Conflict, "A service token with this name already exists, or a user has the name token: followed by it")
}

// NoSuchServiceToken is NOT_FOUND.
func NoSuchServiceToken() error { return fault.New(fault.NotFound, "There is no such service token") }
