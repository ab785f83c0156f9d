// Where a part of a question that was rendered is in the question of the address, which may have changed since.
import { bodyText } from '../api/json';
import type { ChainPlace, Question } from './question';

/**
 * The place of an item that was rendered among those of now; -1 if it is gone. It is found by its value. One whose value has changed since
 * is where it was, unless there are fewer items.
 */
export function placeNow(now: readonly unknown[], rendered: readonly unknown[], index: number): number {
  const texts = now.map((each) => bodyText(each));
  const before = rendered.map((each) => bodyText(each));
  const placesIn = (all: string[]) => all.flatMap((each, at) => (each === before[index] ? at : []));
  const equal = placesIn(texts);
  const equalBefore = placesIn(before);
  if (equal.length > 0) return equal.length < equalBefore.length ? -1 : equal[equalBefore.indexOf(index)]!;
  return now.length < rendered.length || before.includes(texts[index]!) ? -1 : index;
}

/** The place of a chain that was rendered; null if it is gone. The first chain stays. */
export function chainNow(now: Question, rendered: Question, { of, index }: ChainPlace): ChainPlace | null {
  const place = of === 'match' && index === 0 ? 0 : placeNow(now[of], rendered[of], index);
  return place < 0 ? null : { of, index: place };
}

/** Changes a chain that was rendered at one of its nodes, or the hop before it. Nothing changes if the chain or the node is gone. */
export function changeRendered<Q extends Question | null>(
  now: Question,
  rendered: Question,
  chain: ChainPlace,
  at: number,
  change: (now: Question, place: ChainPlace) => Q,
): Question | Q {
  const place = chainNow(now, rendered, chain);
  const isGone = (found: ChainPlace) =>
    at > 0 && placeNow(now[found.of][found.index]!.links, rendered[chain.of][chain.index]!.links, at - 1) < 0;
  return !place || isGone(place) ? now : change(now, place);
}
