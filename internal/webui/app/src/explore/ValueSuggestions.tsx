import { useQuery } from '@tanstack/react-query';
import { aggregate, type Listed } from '../charts/aggregate';
import { draftOf } from '../values/draft';
import { escapeInvisible, formatCount } from '../values/text';
import { kindOf, type Kind } from '../values/value';

const shownValues = 8;
const maxLength = 40;

interface Props {
  listed: Listed;
  /** A property of the listed entities themselves. */
  property: string;
  kind: Kind;
  onChoose: (text: string) => void;
}

/** The most frequent values of a property in the list, as buttons; none if each occurs once. */
export function ValueSuggestions({ listed, property, kind, onChoose }: Props) {
  const read = useQuery({
    queryKey: ['aggregate', 'suggestions', listed, property],
    queryFn: ({ signal }) => aggregate(listed, { groupBy: property, limit: shownValues + 1 }, signal),
    retry: false,
  });
  const values = (read.data?.groups ?? []).flatMap(({ value, count }) => {
    if (value === null || Array.isArray(value) || kindOf(value) !== kind || count < 2) return [];
    const text = draftOf(value).texts[0]!;
    return text.length === 0 || text.length > maxLength ? [] : [{ text, count }];
  });
  if (values.length === 0) return null;
  return (
    <div className="value-chips" role="group" aria-label="Frequent values">
      {values.slice(0, shownValues).map(({ text, count }) => (
        <button key={text} type="button" className="frequent-value" onClick={() => onChoose(text)}>
          {escapeInvisible(text)} <span className="type-count">{formatCount(count)}</span>
        </button>
      ))}
    </div>
  );
}
