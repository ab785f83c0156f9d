package cypher

// The statements on styles of types.
var (
	TypeStylesRead  = load("schema/type_styles_read")
	TypeStyleWrite  = load("schema/type_style_write")
	TypeStyleRemove = load("schema/type_style_remove")
	TypeOrderAdd    = load("schema/type_order_add")
)
