// A map of the earth: a click chooses a point to a degree or so; the fields beside it are exact.
import type { MouseEvent } from 'react';
import { Earth } from './Earth';

interface Props {
  longitude: string;
  latitude: string;
  label: string;
  onChoose: (longitude: string, latitude: string) => void;
}

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
      <Earth />
      {shown && <circle cx={x} cy={-y} r={5} />}
    </svg>
  );
}
