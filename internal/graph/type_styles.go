package graph

import (
	"context"
	"regexp"
	"time"

	"graphrest/internal/fault"
)

const (
	// MaxTypeStyles bounds the types that have a style: every page of a client gets the styles with the schema.
	MaxTypeStyles = 1000
	// MinNodeSize is the minimum size of a node, in pixels.
	MinNodeSize = 10
	// MaxNodeSize is the maximum size of a node, in pixels.
	MaxNodeSize = 200
	// MaxEdgeWidth is the maximum width of an edge, in pixels; the minimum is 1.
	MaxEdgeWidth = 20
)

// StyleOfType says how the entities of a type are drawn, for every user. A zero member leaves the choice to the client.
type StyleOfType struct {
	Color   string // #rrggbb in lower case
	Size    int64  // of nodes, in pixels
	Width   int64  // of edges, in pixels
	Caption string // the property that names a node
	Icon    string // of nodes: a name of lower-case words, joined by hyphens, that clients know or ignore
}

// TypeStyle is the stored style of a type.
type TypeStyle struct {
	Kind Kind
	Type TypeName
	StyleOfType
	UpdatedAt time.Time
}

// TypeStyleChange changes a style. A nil member stays as it is, a zero value is removed.
type TypeStyleChange struct {
	Color   *string
	Size    *int64
	Width   *int64
	Caption *string
	Icon    *string
}

// Apply returns a style with the change.
func (c TypeStyleChange) Apply(s StyleOfType) StyleOfType {
	if c.Color != nil {
		s.Color = *c.Color
	}
	if c.Size != nil {
		s.Size = *c.Size
	}
	if c.Width != nil {
		s.Width = *c.Width
	}
	if c.Caption != nil {
		s.Caption = *c.Caption
	}
	if c.Icon != nil {
		s.Icon = *c.Icon
	}
	return s
}

var (
	colorPattern = regexp.MustCompile(`^#[0-9a-f]{6}$`)
	iconPattern  = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
)

// MaxIcon is the maximum length of the name of an icon.
const MaxIcon = 48

// CheckTypeStyle returns a fault for each invalid member of a change of the style of a type of nodes or of edges.
func CheckTypeStyle(k Kind, c TypeStyleChange) (faults []*fault.Error) {
	if c.Color != nil && *c.Color != "" && !colorPattern.MatchString(*c.Color) {
		faults = append(faults, fault.Invalid("color", "must be a color such as #1c63b8, in lower case"))
	}
	onlyFor := func(field, what string) {
		faults = append(faults, fault.Invalid(field, "is only for types of %s", what))
	}
	switch size := c.Size; {
	case size == nil:
	case k != NodeKind:
		onlyFor("size", "nodes")
	case *size != 0 && (*size < MinNodeSize || *size > MaxNodeSize):
		faults = append(faults, fault.Invalid("size", "must be a whole number from %d to %d, or null", MinNodeSize, MaxNodeSize))
	}
	switch width := c.Width; {
	case width == nil:
	case k != EdgeKind:
		onlyFor("width", "edges")
	case *width < 0 || *width > MaxEdgeWidth:
		faults = append(faults, fault.Invalid("width", "must be a whole number from 1 to %d, or null", MaxEdgeWidth))
	}
	switch caption := c.Caption; {
	case caption == nil || *caption == "":
	case k != NodeKind:
		onlyFor("caption", "nodes")
	case len(*caption) > DefaultLimits.Key:
		faults = append(faults, fault.Invalid("caption", "must be at most %d bytes long", DefaultLimits.Key))
	default:
		if reason := keyProblem(*caption); reason != "" {
			faults = append(faults, fault.Invalid("caption", "%s", reason))
		}
	}
	switch icon := c.Icon; {
	case icon == nil || *icon == "":
	case k != NodeKind:
		onlyFor("icon", "nodes")
	case len(*icon) > MaxIcon || !iconPattern.MatchString(*icon):
		faults = append(faults, fault.Invalid("icon", "must be a name such as map-pin: lower-case words, at most %d characters", MaxIcon))
	}
	return faults
}

// TypeStyleStore stores the styles of types. A change is effective on this replica when the method returns, and on others within a second.
// Besides the codes named, every method may return DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL.
type TypeStyleStore interface {
	// TypeStyles lists all styles: nodes before edges, each by type name.
	TypeStyles(ctx context.Context) ([]TypeStyle, error)
	// TypeStyle reads one. NOT_FOUND.
	TypeStyle(ctx context.Context, k Kind, t TypeName) (TypeStyle, error)
	// SetTypeStyle changes the style of a type, whether or not there are entities of it. A style without members is removed.
	// VALIDATION_ERROR: a member is invalid. CONFLICT: MaxTypeStyles types have one.
	SetTypeStyle(ctx context.Context, k Kind, t TypeName, c TypeStyleChange) (TypeStyle, error)
	// RemoveTypeStyle removes the style of a type. NOT_FOUND.
	RemoveTypeStyle(ctx context.Context, k Kind, t TypeName) error
}
