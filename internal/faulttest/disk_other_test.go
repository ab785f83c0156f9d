//go:build !linux

package faulttest

// fillDisk injects nothing: only Linux can change the limits of another process.
func fillDisk(*world, *load) int { return 0 }

func toldWhenFull(*bare) string { return "not tried on this system" }
