// The airports of `graphrest dev --sample` (internal/sample) as lines of an import, with new ids and a quarter of the routes.
import airports from '../../../../sample/airports.csv?raw';

// Kilometres. Two airports have one route up to this distance, and hubs to every other hub.
const maxRouteDistance = 1000;
const earthRadius = 6371.0088; // the mean radius (IUGG)

interface Airport {
  code: string;
  latitude: number;
  longitude: number;
  hub: boolean;
}

/** The great-circle distance by the haversine formula, in kilometres. */
function distance(a: Airport, b: Airport): number {
  const degree = Math.PI / 180;
  const [north, east] = [(b.latitude - a.latitude) * degree, (b.longitude - a.longitude) * degree];
  const h = Math.sin(north / 2) ** 2 + Math.cos(a.latitude * degree) * Math.cos(b.latitude * degree) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.sqrt(h));
}

/** The lines, nodes before their edges, and how many there are of each type. */
export function sampleGraph(): { lines: string[]; counts: Record<string, number> } {
  const lines: string[] = [];
  const counts: Record<string, number> = {};
  const seen = new Set<string>();
  const add = (type: string, line: object) => {
    counts[type] = (counts[type] ?? 0) + 1;
    lines.push(JSON.stringify({ ...line, type }));
  };
  const addNode = (type: string, name: string, properties: object): string => {
    const ref = `${type} ${name}`;
    if (!seen.has(ref)) add(type, { kind: 'node', ref, properties });
    seen.add(ref);
    return ref;
  };
  const addEdge = (type: string, source_ref: string, target_ref: string, properties = {}) =>
    add(type, { kind: 'edge', source_ref, target_ref, properties });

  const all = airports
    .trim()
    .split('\n')
    .slice(1)
    .map((row): Airport => {
      const [code = '', name, city = '', country = '', latitude, longitude, elevation, opened, hub] = row.split(',');
      const airport = { code, latitude: Number(latitude), longitude: Number(longitude), hub: hub === 'true' };
      const countryRef = addNode('Country', country, { name: country });
      const isNewCity = !seen.has(`City ${city}`);
      const cityRef = addNode('City', city, { name: city });
      if (isNewCity) addEdge('IN_COUNTRY', cityRef, countryRef);
      const airportRef = addNode('Airport', code, {
        code,
        name,
        elevation_m: Number(elevation),
        hub: airport.hub,
        position: { $type: 'Point', _value: `SRID=4326;POINT (${longitude} ${latitude})` },
        ...(opened && { opened: { $type: 'Date', _value: opened } }),
      });
      addEdge('SERVES', airportRef, cityRef);
      return airport;
    });
  for (const [at, a] of all.entries())
    for (const b of all.slice(at + 1)) {
      const km = distance(a, b);
      if (km <= maxRouteDistance || (a.hub && b.hub))
        addEdge('ROUTE', `Airport ${a.code}`, `Airport ${b.code}`, { distance_km: Math.round(km) });
    }
  return { lines, counts };
}
