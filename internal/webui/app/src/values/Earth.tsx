// The background of every map: sea, land and a grid, in degrees, with the south at the bottom.
import { Suspense } from 'react';
import { onDemand } from '../api/onDemand';

const Land = onDemand(() => import('./Land'));

export function Earth() {
  return (
    <g aria-hidden>
      <rect x={-180} y={-90} width={360} height={180} className="sea" />
      {/* What is beyond the earth is cut off. */}
      <svg x={-180} y={-90} width={360} height={180} viewBox="-180 -90 360 180">
        <Suspense>
          <Land />
        </Suspense>
      </svg>
      {[-120, -60, 0, 60, 120].map((meridian) => (
        <line key={meridian} x1={meridian} x2={meridian} y1={-90} y2={90} />
      ))}
      {[-60, -30, 0, 30, 60].map((parallel) => (
        <line key={parallel} x1={-180} x2={180} y1={parallel} y2={parallel} />
      ))}
    </g>
  );
}
