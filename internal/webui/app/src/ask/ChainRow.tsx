// A chain of a question as a row: nodes and hops with their conditions, and what goes on from them.
import { ActionIcon, NativeSelect, Tooltip } from '@mantine/core';
import { Ban, GitBranch, Plus, X } from 'lucide-react';
import type { Schema } from '../api/graph';
import { TypeMark } from '../explore/TypeMark';
import { escapeInvisible, shortId } from '../values/text';
import { ConnectionMenu } from './ConnectionMenu';
import { HopTools } from './HopTools';
import { PartFilter } from './PartFilter';
import {
  addChain,
  addFilters,
  changeFirst,
  changeLink,
  cutChain,
  extendChain,
  maxChains,
  maxNodesInChain,
  namedParts,
  withConditions,
  type ChainPlace,
  type Filter,
  type NodePart,
  type Question,
} from './question';

interface Props {
  question: Question;
  place: ChainPlace;
  schema: Schema;
  onChange: (next: Question) => void;
  /** Removes the whole question. */
  onClear: () => void;
}

const labelOf = ({ of, index }: ChainPlace) => (of === 'without' ? 'Without' : index === 0 ? 'Find' : 'And');

export function ChainRow({ question, place, schema, onChange, onClear }: Props) {
  const { first, links } = question[place.of][place.index]!;
  const label = labelOf(place);
  const end = links.at(-1)?.node ?? first;
  const isMain = place.of === 'match' && place.index === 0;
  return (
    <div className="ask-chain" role="group" aria-label={`${label} ${place.index + 1}`} data-without={place.of === 'without' || undefined}>
      <span className="ask-label">{label}</span>
      {isMain || first.as === undefined ? (
        <NodeBox
          {...{ question, place, schema, onChange }}
          node={first}
          onNode={(node, further) => onChange(withFurther(changeFirst(question, place, node), node, further))}
          onRemove={onClear}
        />
      ) : (
        <>
          <span className="ask-reference">{first.as}</span>
          {(first.filter ?? first.any) && (
            <PartFilter
              kind="node"
              type={typeOf(question, first)}
              schema={schema}
              part={first}
              onConditions={(next) =>
                onChange(
                  (next.filter ?? next.any) || links.length > 0
                    ? changeFirst(question, place, withConditions(first, next))
                    : cutChain(question, place, 0),
                )
              }
            />
          )}
        </>
      )}
      {links.map(({ hop, node }, at) => (
        <span key={at} className="ask-link">
          <HopTools
            hop={hop}
            schema={schema}
            question={question}
            nameable={place.of === 'match'}
            onChange={(next) => onChange(changeLink(question, place, at, { hop: next }))}
          />
          <NodeBox
            {...{ question, place, schema, onChange }}
            node={node}
            onNode={(next, further) => onChange(withFurther(changeLink(question, place, at, { node: next }), next, further))}
            onRemove={() => onChange(cutChain(question, place, at))}
          />
        </span>
      ))}
      {links.length + 1 < maxNodesInChain && (
        <ConnectionMenu
          label={`Go on from ${nameOf(end)}`}
          Icon={Plus}
          schema={schema}
          type={typeOf(question, end)}
          onChoose={(connection) => onChange(extendChain(question, place, connection))}
        />
      )}
    </div>
  );
}

const withFurther = (question: Question, { as }: NodePart, further: Filter[] = []) =>
  as === undefined || further.length === 0 ? question : addFilters(question, as, further);

const nameOf = ({ as, type }: NodePart) => as ?? (type === undefined ? 'any node' : escapeInvisible(type));

/** The type of a node, which may stand where its name is used first. */
const typeOf = (question: Question, { as, type }: NodePart) => type ?? namedParts(question).find(({ name }) => name === as)?.type ?? null;

interface NodeProps extends Omit<Props, 'onClear'> {
  node: NodePart;
  /** further: filters that the node has beside its own. */
  onNode: (next: NodePart, further?: Filter[]) => void;
  onRemove: () => void;
}

function NodeBox({ question, place, schema, node, onChange, onNode, onRemove }: NodeProps) {
  const type = node.type ?? null;
  const name = nameOf(node);
  const types = schema.node_types.map((each) => each.type);
  const choices = type === null || types.includes(type) ? types : [type, ...types];
  const mayHaveMore = place.of === 'match' && node.as !== undefined && question.match.length < maxChains;
  // A property of another type would be no condition that can be met.
  const setType = (next: string) => onNode({ ...(node.as === undefined ? {} : { as: node.as }), ...(next === '' ? {} : { type: next }) });
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
        onConditions={(next) => onNode(withConditions(node, next))}
        {...(mayHaveMore ? { onFilters: (next, further) => onNode(withConditions(node, next), further) } : {})}
      />
      {place.of === 'match' && node.as !== undefined && (
        <>
          {question.match.length < maxChains && (
            <ConnectionMenu
              label={`Branch from ${name}`}
              Icon={GitBranch}
              schema={schema}
              type={typeOf(question, node)}
              onChoose={(connection) => onChange(addChain(question, 'match', node.as!, connection))}
            />
          )}
          {question.without.length < maxChains && (
            <ConnectionMenu
              label={`Without, from ${name}`}
              Icon={Ban}
              schema={schema}
              type={typeOf(question, node)}
              onChoose={(connection) => onChange(addChain(question, 'without', node.as!, connection))}
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
