package auth

// HashesComputed returns the number of password hashes that a service has computed.
func HashesComputed(s *Service) int64 { return s.hasher.work.Load() }
