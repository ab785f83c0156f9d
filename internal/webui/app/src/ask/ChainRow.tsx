// A chain of a question as a row: nodes and hops with their conditions, and what goes on from them.
import { ActionIcon, NativeSelect, Tooltip } from '@mantine/core';
import { Ban, GitBranch, Plus, X } from 'lucide-react';
import type { Schema } from '../api/graph';
import { TypeMark } from '../explore/TypeMark';
import { escapeInvisible, shortId } from '../values/text';
import { filterNode, filterPart, type ChangeConditions } from './conditions';
import { ConnectionMenu } from './ConnectionMenu';
import { HopTools } from './HopTools';
import { PartFilter } from './PartFilter';
import { changeRendered } from './place';
import {
  addChain,
  changeHop,
  changeNode,
  cutChain,
  extendChain,
  freeName,
  maxChains,
  maxNodesInChain,
  namedParts,
  type ChainPlace,
  type ChangeQuestion,
  type Connection,
  type NodePart,
  type Question,
} from './question';

interface Props {
  question: Question;
  place: ChainPlace;
  schema: Schema;
  onChange: ChangeQuestion;
  /** Removes the whole question. */
  onClear: () => void;
}

const labelOf = ({ of, index }: ChainPlace) => (of === 'without' ? 'Without' : index === 0 ? 'Find' : 'And');

export function ChainRow({ question, place, schema, onChange, onClear }: Props) {
  const { first, links } = question[place.of][place.index]!;
  const label = labelOf(place);
  const end = links.at(-1)?.node ?? first;
  const isMain = place.of === 'match' && place.index === 0;
  const changeAt: ChangeAt = (now, at, change) => changeRendered(now, question, place, at, change);
  return (
    <div className="ask-chain" role="group" aria-label={`${label} ${place.index + 1}`} data-without={place.of === 'without' || undefined}>
      <span className="ask-label">{label}</span>
      {isMain || first.as === undefined ? (
        <NodeBox {...{ question, place, schema, onChange, changeAt }} node={first} at={0} onRemove={onClear} />
      ) : (
        <>
          <span className="ask-reference">{first.as}</span>
          {(first.filter ?? first.any) && (
            <PartFilter
              kind="node"
              type={typeOf(question, first)}
              schema={schema}
              part={first}
              holder={question}
              filter={(now, change) => changeAt(now, 0, (found, here) => filterReference(found, here, change))}
              onChange={onChange}
            />
          )}
        </>
      )}
      {links.map(({ hop, node }, at) => (
        <span key={at} className="ask-link">
          <HopTools
            hop={hop}
            schema={schema}
            nameable={place.of === 'match'}
            onChange={(update) => onChange((now) => changeAt(now, at + 1, (found, here) => changeHop(found, here, at, update)))}
            onNamed={(named) => onChange((now) => changeAt(now, at + 1, (found, here) => nameHop(found, here, at, named)))}
          />
          <NodeBox
            {...{ question, place, schema, onChange, changeAt }}
            node={node}
            at={at + 1}
            onRemove={() => onChange((now) => changeAt(now, at + 1, (found, here) => cutChain(found, here, at)))}
          />
        </span>
      ))}
      {links.length + 1 < maxNodesInChain && (
        <ConnectionMenu
          label={`Go on from ${nameOf(end)}`}
          Icon={Plus}
          schema={schema}
          type={typeOf(question, end)}
          onChoose={(connection) =>
            onChange((now) => changeAt(now, links.length, (found, here) => goOn(found, here, links.length, connection)))
          }
        />
      )}
    </div>
  );
}

/** Extends a chain from its last node, unless it has gone on since. */
const goOn = (question: Question, place: ChainPlace, length: number, connection: Connection) =>
  question[place.of][place.index]!.links.length === length ? extendChain(question, place, connection) : question;

/** Changes the conditions of a chain's first node that is named elsewhere; without conditions the chain says nothing. */
function filterReference(question: Question, place: ChainPlace, change: ChangeConditions): Question | null {
  const { first, links } = question[place.of][place.index]!;
  const next = filterPart(first, change);
  if (next === null) return null;
  return (next.filter ?? next.any) || links.length > 0 ? changeNode(question, place, 0, () => next) : cutChain(question, place, 0);
}

/** Gives a hop a name, so that its edge is in the answer, or takes it. */
const nameHop = (question: Question, place: ChainPlace, at: number, named: boolean): Question =>
  changeHop(question, place, at, ({ as: _, ...hop }) => (named ? { ...hop, as: freeName(question, hop.edge?.[0], 'edge') } : hop));

const nameOf = ({ as, type }: NodePart) => as ?? (type === undefined ? 'any node' : escapeInvisible(type));

/** The type of a node, which may stand where its name is used first. */
const typeOf = (question: Question, { as, type }: NodePart) => type ?? namedParts(question).find(({ name }) => name === as)?.type ?? null;

/** Changes the chain of the row at a node, wherever the chain is now. */
type ChangeAt = <Q extends Question | null>(now: Question, at: number, change: (now: Question, place: ChainPlace) => Q) => Question | Q;

interface NodeProps extends Omit<Props, 'onClear'> {
  changeAt: ChangeAt;
  node: NodePart;
  /** Where the node is in its chain. */
  at: number;
  onRemove: () => void;
}

function NodeBox({ question, place, schema, node, at, onChange, changeAt, onRemove }: NodeProps) {
  const type = node.type ?? null;
  const name = nameOf(node);
  const types = schema.node_types.map((each) => each.type);
  const choices = type === null || types.includes(type) ? types : [type, ...types];
  // A property of another type would be no condition that can be met.
  const setType = (next: string) =>
    onChange((now) =>
      changeAt(now, at, (found, here) =>
        changeNode(found, here, at, ({ as }) => ({ ...(as === undefined ? {} : { as }), ...(next === '' ? {} : { type: next }) })),
      ),
    );
  const begin = (of: ChainPlace['of'], connection: Connection) =>
    onChange((now) => changeAt(now, at, (found) => addChain(found, of, node.as!, connection)));
  return (
    <span className="ask-part" role="group" aria-label={name}>
      <TypeMark kind="node" type={type} />
      <NativeSelect
        size="xs"
        aria-label={`Type of ${name}`}
        value={type ?? ''}
        data={[{ value: '', label: 'any node' }, ...choices.map((each) => ({ value: each, label: escapeInvisible(each) }))]}
        onChange={(event) => setType(event.currentTarget.value)}
      />
      {node.as !== undefined && <span className="ask-name">{node.as}</span>}
      {node.id !== undefined && <span className="ask-id mono">{shortId(node.id)}</span>}
      <PartFilter
        kind="node"
        type={type}
        schema={schema}
        part={node}
        holder={question}
        filter={(now, change) => changeAt(now, at, (found, here) => filterNode(found, here, at, change))}
        onChange={onChange}
      />
      {place.of === 'match' && node.as !== undefined && (
        <>
          {question.match.length < maxChains && (
            <ConnectionMenu
              label={`Branch from ${name}`}
              Icon={GitBranch}
              schema={schema}
              type={typeOf(question, node)}
              onChoose={(connection) => begin('match', connection)}
            />
          )}
          {question.without.length < maxChains && (
            <ConnectionMenu
              label={`Without, from ${name}`}
              Icon={Ban}
              schema={schema}
              type={typeOf(question, node)}
              onChoose={(connection) => begin('without', connection)}
            />
          )}
        </>
      )}
      <Tooltip label={`Remove ${name} and what is behind it`}>
        <ActionIcon size="md" variant="subtle" aria-label={`Remove ${name} and what is behind it`} onClick={onRemove}>
          <X size={14} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
