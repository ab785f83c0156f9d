// The least length of a password, as the gateway checks it (minPassword in internal/auth/password.go).
export const passwordHint = 'At least 12 characters';
