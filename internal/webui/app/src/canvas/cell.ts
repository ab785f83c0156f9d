/** The room of a node without edges, in pixels: its caption, which is cut to it, has its largest size at the smallest zoom. */
export const cell = { width: 170, height: 78 };
