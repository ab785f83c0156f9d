// A schematic map of the earth: a click chooses a point to a degree or so; the fields beside it are exact.
import type { MouseEvent } from 'react';

interface Props {
  longitude: string;
  latitude: string;
  label: string;
  onChoose: (longitude: string, latitude: string) => void;
}

// Rough outlines of the continents, as longitude and latitude.
const outlines = [
  '-166,66 -156,71 -128,70 -95,72 -82,68 -93,60 -82,52 -78,60 -64,60 -56,52 -66,44 -75,38 -81,30 ' +
    '-81,25 -90,30 -97,26 -97,19 -88,21 -83,10 -78,8 -86,12 -95,16 ' +
    '-106,22 -113,31 -124,40 -124,48 -135,58 -150,60 -164,55',
  '-54,82 -20,82 -20,72 -42,60 -53,66 -58,75 -72,78',
  '-78,8 -62,11 -50,1 -35,-6 -39,-16 -48,-26 -57,-36 -65,-42 -68,-54 -74,-50 -73,-37 -70,-18 -81,-5',
  '-6,36 10,37 20,32 32,31 43,12 51,12 40,-5 40,-16 33,-26 20,-35 12,-17 9,4 -8,4 -17,14 -16,24',
  '-9,37 -9,43 -2,44 -5,48 4,52 8,57 5,61 14,68 28,71 45,67 68,73 100,77 140,73 178,69 178,65 160,60 ' +
    '156,52 142,59 135,54 140,48 128,40 126,35 121,40 122,31 117,23 108,21 109,12 ' +
    '103,2 98,9 91,22 80,15 77,8 73,18 67,25 57,26 52,24 59,22 45,13 35,28 36,36 27,37 22,37 13,45 18,40 15,38 8,44 3,42 -2,37',
  '-5,50 1,51 -2,56 -3,59 -6,57 -4,54',
  '130,32 140,36 142,45 138,37',
  '96,5 105,-6 114,-8 119,0 116,6 109,1',
  '131,-1 141,-3 150,-10 138,-8',
  '114,-22 122,-18 130,-12 136,-12 142,-11 146,-19 153,-26 150,-37 140,-38 131,-31 115,-34',
  '173,-35 178,-38 168,-47 172,-41',
  '44,-25 47,-25 50,-15 44,-17',
  '-180,-78 -60,-74 -60,-64 -10,-71 60,-67 110,-66 170,-72 180,-78 180,-90 -180,-90',
];
const shapes = outlines.map((outline) =>
  outline
    .split(' ')
    .map((point) => point.split(',').map(Number))
    .map(([x, y]) => `${x},${-y!}`)
    .join(' '),
);

export function PointMap({ longitude, latitude, label, onChoose }: Props) {
  const [x, y] = [Number(longitude), Number(latitude)];
  const shown = longitude.trim() !== '' && latitude.trim() !== '' && Math.abs(x) <= 180 && Math.abs(y) <= 90;
  const position = shown ? `at longitude ${x}, latitude ${y}` : 'no point yet';

  function choose(event: MouseEvent<SVGSVGElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (share: number, size: number) => String(Math.round((share - 0.5) * size * 10) / 10);
    onChoose(at((event.clientX - box.left) / box.width, 360), at((box.bottom - event.clientY) / box.height, 180));
  }
  return (
    <svg
      className="point-map"
      viewBox="-180 -90 360 180"
      role="img"
      aria-label={`Map of ${label}: ${position}. A click chooses a point, as the fields do.`}
      onClick={choose}
    >
      <rect x={-180} y={-90} width={360} height={180} className="sea" />
      {shapes.map((points) => (
        <polygon key={points} points={points} className="land" />
      ))}
      {[-120, -60, 0, 60, 120].map((meridian) => (
        <line key={meridian} x1={meridian} x2={meridian} y1={-90} y2={90} />
      ))}
      {[-60, -30, 0, 30, 60].map((parallel) => (
        <line key={parallel} x1={-180} x2={180} y1={parallel} y2={parallel} />
      ))}
      {shown && <circle cx={x} cy={-y} r={5} />}
    </svg>
  );
}
