//go:build !linux

package faulttest

// fillDisk injects nothing: only Linux can change the limits of another process.
func fillDisk(*testbed, *load) int { return 0 }

func failWhenFull(*unprotectedClient) string { return "not tried on this system" }
