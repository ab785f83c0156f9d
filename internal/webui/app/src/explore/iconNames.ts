// The names of the icons that types of nodes can have: those of Lucide. The canvas draws them (canvas/icons.ts). Another client may have
// set one that is not here: its type is drawn as if it had none.
export const iconNames = [
  'user',
  'users',
  'building-complex',
  'factory',
  'landmark',
  'house',
  'briefcase',
  'graduation-cap',
  'car',
  'truck',
  'ship',
  'plane',
  'train-front',
  'map-pin',
  'globe',
  'flag',
  'book-open',
  'file-text',
  'tag',
  'calendar',
  'mail',
  'phone',
  'shopping-cart',
  'package',
  'credit-card',
  'banknote',
  'server',
  'database',
  'laptop',
  'network',
  'bug',
  'shield',
  'key',
  'lock',
  'flask-conical',
  'dna',
  'pill',
  'stethoscope',
  'leaf',
  'paw-print',
  'film',
  'eighth-notes',
  'image',
  'star',
] as const;

export type IconName = (typeof iconNames)[number];

const known = new Set<string>(iconNames);

export const isIcon = (name: string | undefined) => name !== undefined && known.has(name);
