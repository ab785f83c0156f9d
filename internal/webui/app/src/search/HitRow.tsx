import { TypeMark } from '../explore/TypeMark';
import { escapeInvisible } from '../values/text';
import { hitName, hitText } from './hits';
import type { Hit } from './search';

export function HitRow({ hit, chosen, onOpen }: { hit: Hit; chosen: boolean; onOpen: () => void }) {
  const type = hit.kind === 'node' ? (hit.node.type ?? 'no label') : hit.edge.type;
  return (
    <button type="button" className="hit" aria-current={chosen} onClick={onOpen}>
      <TypeMark kind={hit.kind} type={hit.kind === 'node' ? hit.node.type : hit.edge.type} />
      <span className="hit-name">{hitName(hit)}</span>
      <span className="type-count">{escapeInvisible(type)}</span>
      <span className="hit-text">{hitText(hit)}</span>
    </button>
  );
}
