// The icons that types of nodes can have: those of Lucide, under its names. They are drawn on the canvas and in its images.
import * as user from 'lucide-react/icons/user';
import * as users from 'lucide-react/icons/users';
import * as buildings from 'lucide-react/icons/building-complex';
import * as factory from 'lucide-react/icons/factory';
import * as landmark from 'lucide-react/icons/landmark';
import * as house from 'lucide-react/icons/house';
import * as briefcase from 'lucide-react/icons/briefcase';
import * as graduationCap from 'lucide-react/icons/graduation-cap';
import * as car from 'lucide-react/icons/car';
import * as truck from 'lucide-react/icons/truck';
import * as ship from 'lucide-react/icons/ship';
import * as plane from 'lucide-react/icons/plane';
import * as trainFront from 'lucide-react/icons/train-front';
import * as mapPin from 'lucide-react/icons/map-pin';
import * as globe from 'lucide-react/icons/globe';
import * as flag from 'lucide-react/icons/flag';
import * as bookOpen from 'lucide-react/icons/book-open';
import * as fileText from 'lucide-react/icons/file-text';
import * as tag from 'lucide-react/icons/tag';
import * as calendar from 'lucide-react/icons/calendar';
import * as mail from 'lucide-react/icons/mail';
import * as phone from 'lucide-react/icons/phone';
import * as shoppingCart from 'lucide-react/icons/shopping-cart';
import * as parcel from 'lucide-react/icons/package';
import * as creditCard from 'lucide-react/icons/credit-card';
import * as banknote from 'lucide-react/icons/banknote';
import * as server from 'lucide-react/icons/server';
import * as database from 'lucide-react/icons/database';
import * as laptop from 'lucide-react/icons/laptop';
import * as network from 'lucide-react/icons/network';
import * as bug from 'lucide-react/icons/bug';
import * as shield from 'lucide-react/icons/shield';
import * as key from 'lucide-react/icons/key';
import * as lock from 'lucide-react/icons/lock';
import * as flaskConical from 'lucide-react/icons/flask-conical';
import * as dna from 'lucide-react/icons/dna';
import * as pill from 'lucide-react/icons/pill';
import * as stethoscope from 'lucide-react/icons/stethoscope';
import * as leaf from 'lucide-react/icons/leaf';
import * as pawPrint from 'lucide-react/icons/paw-print';
import * as film from 'lucide-react/icons/film';
import * as notes from 'lucide-react/icons/eighth-notes';
import * as image from 'lucide-react/icons/image';
import * as star from 'lucide-react/icons/star';
import type { IconName } from '../explore/iconNames';
import type { LucideIcon } from 'lucide-react';
import type { LucideIconData } from 'lucide-react/types';

// The modules have the shapes too, which their types do not say.
const icon = (label: string, module: { default: LucideIcon }) => ({
  label,
  Icon: module.default,
  shapes: (module as unknown as { __iconData: LucideIconData }).__iconData.node,
});

const byName: Record<IconName, ReturnType<typeof icon>> = {
  user: icon('Person', user),
  users: icon('People', users),
  'building-complex': icon('Company', buildings),
  factory: icon('Factory', factory),
  landmark: icon('Institution', landmark),
  house: icon('House', house),
  briefcase: icon('Briefcase', briefcase),
  'graduation-cap': icon('School', graduationCap),
  car: icon('Car', car),
  truck: icon('Truck', truck),
  ship: icon('Ship', ship),
  plane: icon('Plane', plane),
  'train-front': icon('Train', trainFront),
  'map-pin': icon('Place', mapPin),
  globe: icon('Globe', globe),
  flag: icon('Flag', flag),
  'book-open': icon('Book', bookOpen),
  'file-text': icon('Document', fileText),
  tag: icon('Tag', tag),
  calendar: icon('Calendar', calendar),
  mail: icon('Mail', mail),
  phone: icon('Phone', phone),
  'shopping-cart': icon('Purchase', shoppingCart),
  package: icon('Product', parcel),
  'credit-card': icon('Card', creditCard),
  banknote: icon('Money', banknote),
  server: icon('Server', server),
  database: icon('Database', database),
  laptop: icon('Laptop', laptop),
  network: icon('Network', network),
  bug: icon('Insect', bug),
  shield: icon('Shield', shield),
  key: icon('Key', key),
  lock: icon('Lock', lock),
  'flask-conical': icon('Experiment', flaskConical),
  dna: icon('Gene', dna),
  pill: icon('Medicine', pill),
  stethoscope: icon('Health', stethoscope),
  leaf: icon('Plant', leaf),
  'paw-print': icon('Animal', pawPrint),
  film: icon('Film', film),
  'eighth-notes': icon('Music', notes),
  image: icon('Image', image),
  star: icon('Star', star),
};

/** By the names that the service keeps. */
export const icons = new Map<string, ReturnType<typeof icon>>(Object.entries(byName));

/** The side of the square in which the shapes are. */
const side = 24;
/** The share of the width of a node that its icon has. */
export const iconShare = 0.56;

/** The black or the white that is seen better on a colour (relative luminance of WCAG 2, without its gamma). */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#15191b' : '#ffffff';
}

const attributes = (of: Record<string, unknown>) =>
  Object.entries(of)
    .filter(([name]) => name !== 'key')
    .map(([name, value]) => ` ${name}="${String(value)}"`)
    .join('');

/** The shapes of an icon as SVG, in a square from 0 to 24, for a node of a colour (#rrggbb); undefined if there is no such icon. */
function drawShapes(name: string | undefined, colour: string): string | undefined {
  const shapes = name === undefined ? undefined : icons.get(name)?.shapes;
  if (!shapes) return undefined;
  const drawn = shapes.map(([element, of]) => `<${element}${attributes(of)}/>`).join('');
  return `<g fill="none" stroke="${inkOn(colour)}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${drawn}</g>`;
}

/** For a background in Cytoscape. */
export function iconImage(name: string | undefined, colour: string): string | undefined {
  const drawn = drawShapes(name, colour);
  if (drawn === undefined) return undefined;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 ${side} ${side}">${drawn}</svg>`;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

/** For an image in SVG, around a centre, on a node of a size and colour. */
export function drawIcon(name: string | undefined, x: number, y: number, size: number, colour: string): string {
  const scale = (size * iconShare) / side;
  const drawn = drawShapes(name, colour);
  const corner = [x, y].map((at) => Math.round((at - (scale * side) / 2) * 10) / 10).join(' ');
  return drawn === undefined ? '' : `<g transform="translate(${corner}) scale(${Math.round(scale * 1000) / 1000})">${drawn}</g>`;
}
