// The sample graph of the flows and the screenshots: films, people, studios and cities.
import type { Call } from './api';

const people = [
  'Ada Lindqvist',
  'Bruno Keller',
  'Carla Mendes',
  'Dmitri Orlov',
  'Elena Marsh',
  'Farid Nasser',
  'Greta Holm',
  'Hugo Lambert',
  'Iris Tanaka',
  'Jonas Weber',
  'Kavya Rao',
  'Lars Egede',
  'Mina Okafor',
  'Noah Fischer',
  'Olga Petrova',
  'Pablo Reyes',
  'Quinn Harper',
  'Rosa Vidal',
  'Samir Haddad',
  'Tova Berg',
  'Umar Sayed',
  'Vera Novak',
  'Wim de Vries',
  'Xenia Pappas',
  'Yusuf Kaya',
  'Zoe Martin',
];
const films: [string, number, number][] = [
  ['The Quiet Harbour', 2011, 7.4],
  ['Paper Lanterns', 2014, 8.1],
  ['North of Nothing', 2009, 6.8],
  ['A Field in Winter', 2018, 7.9],
  ['The Glass Orchard', 2021, 8.4],
  ['Low Tide', 2016, 7.1],
  ['Signal Loss', 2019, 6.5],
  ['The Cartographer', 2013, 8.0],
  ['Salt and Iron', 2020, 7.2],
  ['Nine Letters', 2017, 7.7],
  ['Harvest Moon', 2022, 6.9],
  ['The Long Way Round', 2015, 7.5],
];
const studios: [string, number][] = [
  ['Blue Door Pictures', 140],
  ['Meridian Films', 58],
  ['Kite & Anchor', 23],
];
const cities: [string, number, number][] = [
  ['Lisbon', -9.14, 38.72],
  ['Hamburg', 9.99, 53.55],
  ['Kyoto', 135.77, 35.01],
  ['Bergen', 5.32, 60.39],
];

interface Created {
  id: string;
}

export interface Sample {
  people: string[];
  films: string[];
  studios: string[];
}

/** The first person has a property of every type. */
const everyType = {
  big: '9007199254740993',
};

export async function createSample(call: Call): Promise<Sample> {
  const node = async (type: string, properties: Record<string, unknown>) =>
    (await call<Created>('POST', '/api/nodes', { type, properties })).id;
  const edge = (type: string, source_id: string, target_id: string, properties: Record<string, unknown> = {}) =>
    call<Created>('POST', '/api/edges', { type, source_id, target_id, properties });
  const date = (d: string) => ({ $type: 'Date', _value: d });

  const ids: Sample = { people: [], films: [], studios: [] };
  for (const [i, name] of people.entries()) {
    const born = `${1950 + ((i * 7) % 45)}-${String((i % 12) + 1).padStart(2, '0')}-${String(((i * 3) % 28) + 1).padStart(2, '0')}`;
    ids.people.push(
      await node('Person', {
        name,
        born: date(born),
        active: i % 4 !== 0,
        height: Math.round((1.58 + (i % 9) * 0.04) * 1000 + 0.5) / 1000,
        ...(i % 2 ? { languages: ['English', i % 3 ? 'German' : 'Portuguese'] } : {}),
      }),
    );
  }
  for (const [title, released, rating] of films) {
    // As text, because JSON.stringify writes 8.0 as an integer.
    const properties =
      `{"title":"${title}","released":${released},"rating":${rating.toFixed(1)},` +
      `"minutes":${88 + (released % 11) * 5},"tagline":"${title}, a story of ${released}"}`;
    ids.films.push((await call<Created>('POST', '/api/nodes', `{"type":"Film","properties":${properties}}`)).id);
  }
  for (const [name, employees] of studios)
    ids.studios.push(await node('Studio', { name, employees, founded: date(`${1990 + (employees % 20)}-05-01`) }));
  const cityIds: string[] = [];
  for (const [name, x, y] of cities)
    cityIds.push(await node('City', { name, location: { $type: 'Point', _value: `SRID=4326;POINT (${x} ${y})` } }));

  for (const [i, film] of ids.films.entries()) {
    for (let k = 0; k < 5; k++)
      await edge('ACTED_IN', ids.people[(i * 4 + k * 3) % people.length]!, film, {
        role: ['Lead', 'Rival', 'Friend', 'Stranger', 'Judge'][k],
        scenes: 4 + ((i * k) % 20),
      });
    await edge('DIRECTED', ids.people[(i * 5 + 2) % people.length]!, film);
    await edge('PRODUCED_BY', film, ids.studios[i % studios.length]!, { budget: 1_000_000 + i * 250_000 });
    await edge('FILMED_IN', film, cityIds[i % cities.length]!);
  }
  for (let i = 0; i < 14; i++)
    await edge('KNOWS', ids.people[i]!, ids.people[(i * 3 + 5) % people.length]!, { since: date(`${2000 + i}-03-01`) });
  // As text, because a JavaScript number would round it.
  await call(
    'PUT',
    `/api/nodes/${ids.people[0]}`,
    `{"properties":{"fans":${everyType.big},"bio":"Began on stage in Uppsala.\\nLives in Lisbon.",
      "lastSeen":{"$type":"ZonedDateTime","_value":"2026-05-01T12:30:00+02:00[Europe/Berlin]"},
      "home":{"$type":"Point","_value":"SRID=4326;POINT (-9.14 38.72)"},
      "notice":{"$type":"Duration","_value":"P3M"},"badge":{"$type":"Base64","_value":"aGVsbG8="},"scores":[1.0,2.5,3.0]}}`,
  );
  return ids;
}
