import { Button } from '@mantine/core';
import { Plus, Redo2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Schema } from '../api/graph';
import type { ChangeView } from '../explore/url';
import { ExportMenu } from './ExportMenu';
import { SearchPopover } from './SearchPopover';
import { SelectionTools } from './SelectionTools';
import { StyleMenu } from './StyleMenu';
import type { CanvasModel } from './useCanvasModel';
import type { UndoHistory } from './useUndoKeys';
import { parseStyle, serializeStyle } from './valueStyle';

interface Props {
  model: CanvasModel;
  schema: Schema;
  change: ChangeView;
  onCreateEdge: (ends: [string, string]) => void;
}

/** What can be done with the selection and with the whole canvas. */
export function CanvasBar({ model, schema, change, onCreateEdge }: Props) {
  const { graph, steps, style, canvas, scales, dark } = model;
  const [adding, setAdding] = useState(false);
  return (
    <div className="canvas-bar" role="toolbar" aria-label="Canvas">
      <SelectionTools
        graph={graph}
        selected={model.selected}
        canvas={canvas}
        steps={steps}
        expanding={model.expanding}
        onExpanding={model.setExpanding}
        pathing={model.pathing}
        onPathing={model.setPathing}
        items={model.items}
        schema={schema}
        actions={model.actions}
        onCreateEdge={onCreateEdge}
      />
      <span className="spacer" />
      <StepButtons history={model.history} />
      <SearchPopover
        label="Add"
        Icon={Plus}
        search="Add a node to the canvas"
        items={[]}
        opened={adding}
        onOpened={setAdding}
        onChoose={(id) => steps.addTo({ ids: [id] })}
      />
      <StyleMenu
        style={style}
        graph={graph}
        onChange={(next) => change((now) => ({ style: serializeStyle({ ...parseStyle(now.style), ...next }) }))}
      />
      <ExportMenu graph={graph} instance={canvas.instance} scales={scales} dark={dark} />
    </div>
  );
}

function StepButtons({ history }: { history: UndoHistory }) {
  return (
    <>
      {history.canUndo && (
        <Button size="compact-sm" variant="default" leftSection={<Undo2 size={14} />} onClick={history.undo} title="Undo step (Ctrl Z)">
          Undo step
        </Button>
      )}
      {history.canRedo && (
        <Button size="compact-sm" variant="default" leftSection={<Redo2 size={14} />} onClick={history.redo} title="Redo step (Ctrl Y)">
          Redo step
        </Button>
      )}
    </>
  );
}
