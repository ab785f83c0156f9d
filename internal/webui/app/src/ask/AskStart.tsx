// Where a question begins: a type, or the graph of the schema.
import { Select } from '@mantine/core';
import { Suspense } from 'react';
import { onDemand } from '../api/onDemand';
import type { Schema } from '../api/graph';
import { Loading } from '../shell/States';
import { escapeInvisible, formatCount } from '../values/text';
import { questionOfConnection } from './begin';
import { beginQuestion, type Question } from './question';

const SchemaGraph = onDemand(() => import('../canvas/SchemaGraph'));

export function AskStart({ schema, onStart }: { schema: Schema; onStart: (question: Question) => void }) {
  return (
    <div className="ask-start">
      <div className="ask-first">
        <Select
          label="Begin with a type"
          description="or with a click on a type or an edge of the graph, with what is above a list, or with the panel of a node"
          placeholder="Type of nodes"
          searchable
          w={320}
          data={schema.node_types.map(({ type, count }) => ({
            value: type,
            label: `${escapeInvisible(type)}${count === null ? '' : ` (${formatCount(count)})`}`,
          }))}
          value={null}
          onChange={(type) => type !== null && onStart(beginQuestion({ type }))}
        />
      </div>
      <Suspense fallback={<Loading subject="the graph of types" />}>
        <SchemaGraph
          schema={schema}
          onPickNode={(type) => onStart(beginQuestion({ type }))}
          onPickEdge={({ type, source, target }) => onStart(questionOfConnection(type, source, target))}
        />
      </Suspense>
    </div>
  );
}
