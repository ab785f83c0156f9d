import { formatCount, escapeInvisible } from '../values/text';
import { channels, channelTitles, coloursOf, type Channel, type Key, type Scales } from './valueStyle';

/** The scales and categories of the style by value. */
export function ValueLegend({ scales, dark }: { scales: Scales; dark: boolean }) {
  return (
    <>
      {channels.map((channel) => {
        const scale = scales[channel];
        return scale && <ChannelKey key={channel} channel={channel} entry={scale.key} dark={dark} />;
      })}
    </>
  );
}

function ChannelKey({ channel, entry, dark }: { channel: Channel; entry: Key; dark: boolean }) {
  const { ends, neutral } = coloursOf(dark);
  const coloured = channel === 'nodeColour' || channel === 'edgeColour';
  const title = `${channelTitles[channel]}: ${escapeInvisible(entry.property)}`;
  const row = (text: string, count: number, colour: string) => (
    <div key={text} className="legend-row" style={{ cursor: 'default' }}>
      <span className={channel === 'nodeColour' ? 'dot' : 'dash'} style={{ background: colour }} />
      <span className="type-name">{text}</span>
      <span className="type-count">{formatCount(count)}</span>
    </div>
  );
  return (
    <div className="legend-key" role="group" aria-label={title}>
      <div className="legend-title">{title}</div>
      {entry.kind === 'scale' && (
        <>
          <div
            className={coloured ? 'legend-ramp' : 'legend-wedge'}
            style={coloured ? { background: `linear-gradient(to right, ${ends[0]}, ${ends[1]})` } : undefined}
            aria-hidden
          />
          <div className="legend-ends">
            <span>{escapeInvisible(entry.min)}</span>
            <span>{escapeInvisible(entry.max)}</span>
          </div>
        </>
      )}
      {entry.kind === 'categories' &&
        entry.categories.map(({ text, count, colour }) => row(text === '' ? '(empty)' : escapeInvisible(text), count, colour))}
      {entry.kind === 'categories' && entry.others > 0 && row('other values', entry.others, neutral)}
      {entry.missing > 0 && row(coloured ? 'not set' : 'no number', entry.missing, neutral)}
      {entry.unknown > 0 && row('not loaded', entry.unknown, neutral)}
    </div>
  );
}
