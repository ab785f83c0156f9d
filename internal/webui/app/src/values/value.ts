// Property values: the JavaScript type of a value corresponds to its type in the database.

/** A value of a type that JSON lacks: a date, a point, bytes, NaN. */
export interface Tagged {
  $type: string;
  _value: string;
}

/** string, boolean, 64-bit integer, float, or tagged. */
export type Scalar = string | boolean | bigint | number | Tagged;
export type Value = Scalar | Scalar[];
export type Properties = Record<string, Value>;

export const kinds = [
  'String',
  'Integer',
  'Float',
  'Boolean',
  'Date',
  'LocalDateTime',
  'OffsetDateTime',
  'ZonedDateTime',
  'LocalTime',
  'Time',
  'Duration',
  'Point',
  'Base64',
] as const;
export type Kind = (typeof kinds)[number];

/** The service's names of types, in filters and in the headers of CSV files. */
export const kindNames: Record<Kind, string> = {
  String: 'string',
  Integer: 'integer',
  Float: 'float',
  Boolean: 'boolean',
  Date: 'date',
  LocalDateTime: 'localdatetime',
  OffsetDateTime: 'datetime',
  ZonedDateTime: 'datetime',
  LocalTime: 'localtime',
  Time: 'time',
  Duration: 'duration',
  Point: 'point',
  Base64: 'base64',
};

export const kindLabels: Record<Kind, string> = {
  String: 'Text',
  Integer: 'Integer',
  Float: 'Float',
  Boolean: 'Boolean',
  Date: 'Date',
  LocalDateTime: 'Date and time',
  OffsetDateTime: 'Date and time, offset',
  ZonedDateTime: 'Date and time, zone',
  LocalTime: 'Time',
  Time: 'Time, offset',
  Duration: 'Duration',
  Point: 'Point',
  Base64: 'Bytes',
};

/** Examples of input for each kind. */
export const kindExamples: Record<Kind, string> = {
  String: '',
  Integer: '42',
  Float: '1.5, or NaN, Infinity',
  Boolean: '',
  Date: '2024-05-01',
  LocalDateTime: '2024-05-01T12:30:00',
  OffsetDateTime: '2024-05-01T12:30:00+02:00',
  ZonedDateTime: '2024-05-01T12:30:00+02:00[Europe/Berlin]',
  LocalTime: '12:30:00',
  Time: '12:30:00+02:00',
  Duration: 'P1Y2M3DT4H5M6S',
  Point: 'SRID=4326;POINT (13.4 52.5)',
  Base64: 'aGVsbG8=',
};

export const areNumbers = (types: string[]) => types.length > 0 && types.every((type) => type === 'Integer' || type === 'Float');

export function isTagged(value: unknown): value is Tagged {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && '$type' in value;
}

/** The kind of a scalar. */
export function kindOf(value: Scalar): Kind {
  switch (typeof value) {
    case 'string':
      return 'String';
    case 'boolean':
      return 'Boolean';
    case 'bigint':
      return 'Integer';
    case 'number':
      return 'Float';
    default:
      return (kinds as readonly string[]).includes(value.$type) ? (value.$type as Kind) : 'String';
  }
}

/** A short name of a value's type, lists included. */
export function typeLabel(value: Value): string {
  if (!Array.isArray(value)) return kindLabels[kindOf(value)];
  const first = value[0];
  return first === undefined ? 'Empty list' : `List of ${kindLabels[kindOf(first)]}`;
}
