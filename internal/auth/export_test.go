package auth

// HashesComputed is how many password hashes a service has computed.
func HashesComputed(s *Service) int64 { return s.hasher.work.Load() }
