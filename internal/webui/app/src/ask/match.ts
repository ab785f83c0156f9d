// The calls of POST /api/match.
import { integerOf } from '../api/json';
import { answerOf, type Answer } from '../console/answer';
import { send } from '../console/queries';
import { questionBody, type Question } from './question';

export interface AnswerPage {
  answer: Answer;
  /** The offset of the next row; null if there is none. */
  next: number | null;
}

export async function askQuestion(question: Question, limit: number, offset: number, signal: AbortSignal): Promise<AnswerPage> {
  const body = { ...questionBody(question), limit: integerOf(limit), offset: integerOf(offset) };
  const { body: answered } = await send('/api/match', { method: 'POST', body, signal });
  const answer = answerOf(answered);
  const { has_more } = (answered as { meta: { page: { has_more: boolean } } }).meta.page;
  return { answer, next: has_more ? offset + answer.rows.length : null };
}

/** The pages of an answer as one: each entity once. */
export function joinPages(pages: AnswerPage[]): Answer {
  const [first, ...others] = pages.map((page) => page.answer) as [Answer, ...Answer[]];
  if (others.length === 0) return first;
  const all = [first, ...others];
  const unique = <T extends { id: string }>(items: T[]) => [...new Map(items.map((item) => [item.id, item])).values()];
  return {
    ...first,
    columns: first.columns.map((column, i) => ({ ...column, types: [...new Set(all.flatMap((each) => each.columns[i]?.types ?? []))] })),
    rows: all.flatMap((each) => each.rows),
    nodes: unique(all.flatMap((each) => each.nodes)),
    edges: unique(all.flatMap((each) => each.edges)),
    elapsed: all.reduce((sum, each) => sum + each.elapsed, 0),
  };
}
