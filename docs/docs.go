// Package docs embeds the guides, so that every gateway serves those of its version.
package docs

import "embed"

// Files are the guides and their pictures.
//
//go:embed *.md images
var Files embed.FS
