// The head of the panel of an entity: its types, what can be done with it, and its name.
import { ActionIcon, Badge, Group, Tooltip } from '@mantine/core';
import { CirclePlus, MessageCircleQuestion, ShieldQuestion, Trash2, Waypoints, X } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { addressOf } from '../api/address';
import type { Entity } from '../api/graph';
import { askPath, beginQuestion } from '../ask/question';
import { canvasPath } from '../canvas/openCanvas';
import { graphPath } from '../canvas/steps';
import { useEditPermissions } from '../changesets/proposal';
import { CopyMenu, type CopyItem } from '../copy/CopyMenu';
import { explainPath } from '../explain/explain';
import { appearanceOf, edgeAppearanceOf } from '../explore/appearance';
import type { EntityRef } from '../explore/url';
import { viewAs } from '../session/viewAs';
import { copyText } from '../shell/notify';
import { escapeInvisible } from '../values/text';

interface Props {
  entity: Entity;
  name: string;
  copyItems: CopyItem[];
  /** Undefined if the entity cannot be deleted. */
  onDelete: (() => void) | undefined;
  onClose: () => void;
}

export function PanelHead({ entity, name, copyItems, onDelete, onClose }: Props) {
  const may = useEditPermissions();
  const navigate = useNavigate();
  const { kind, entity: it } = entity;
  return (
    <div className="panel-head">
      <Group gap={2} wrap="nowrap" mb={4}>
        <TypeBadges entity={entity} />
        <span className="spacer" />
        {kind === 'node' && may.edge.read && (
          <Tooltip label="Show as a graph with its neighbors">
            <ActionIcon size="lg" component={Link} to={graphPath(it)} aria-label="Show as a graph with its neighbors">
              <Waypoints size={17} />
            </ActionIcon>
          </Tooltip>
        )}
        {kind === 'node' && (
          <Tooltip label="Ask a question that begins here">
            <ActionIcon
              size="lg"
              component={Link}
              to={askPath(beginQuestion({ id: it.id, ...(it.type === null ? {} : { type: it.type }) }))}
              aria-label="Ask a question that begins here"
            >
              <MessageCircleQuestion size={17} />
            </ActionIcon>
          </Tooltip>
        )}
        {kind === 'node' && (
          <Tooltip label="Add to the canvas that was shown last">
            <ActionIcon
              size="lg"
              aria-label="Add to the canvas that was shown last"
              onClick={() => void navigate(canvasPath({ ids: [it.id] }))}
            >
              <CirclePlus size={17} />
            </ActionIcon>
          </Tooltip>
        )}
        <CopyMenu items={copyItems} />
        {may.admin && (
          <Tooltip label={`Why can a user see this ${kind}, or not?`}>
            <ActionIcon
              size="lg"
              component={Link}
              to={explainPath({ entity: { kind, id: it.id } })}
              aria-label={`Why can a user see this ${kind}, or not?`}
            >
              <ShieldQuestion size={17} />
            </ActionIcon>
          </Tooltip>
        )}
        {viewAs?.kind === 'user' && <ExplainForUser user={viewAs.name} kind={kind} id={it.id} />}
        {onDelete && (
          <Tooltip label={`Delete the ${kind}`}>
            <ActionIcon size="lg" aria-label={`Delete the ${kind}`} onClick={onDelete}>
              <Trash2 size={17} />
            </ActionIcon>
          </Tooltip>
        )}
        <CloseButton onClose={onClose} />
      </Group>
      <h2 className="panel-title">{name}</h2>
      <button
        type="button"
        className="linkbutton mono"
        style={{ fontSize: 12, color: 'var(--muted)' }}
        onClick={() => void copyText(it.id, 'ID')}
        title="Copy the ID"
      >
        {it.id}
      </button>
    </div>
  );
}

function TypeBadges({ entity }: { entity: Entity }) {
  const { kind, entity: it } = entity;
  return (
    <>
      {(kind === 'node' ? entity.entity.labels : [it.type ?? '']).map((label) => (
        <Badge
          key={label}
          tt="none"
          variant="filled"
          radius="sm"
          color={(kind === 'node' ? appearanceOf(label).colour : edgeAppearanceOf(label).colour) ?? 'gray.7'}
          autoContrast
          mr={4}
          style={{ flex: '0 1 auto', minWidth: 0 }}
        >
          {escapeInvisible(label)}
        </Badge>
      ))}
      {kind === 'node' && entity.entity.labels.length === 0 && (
        <Badge tt="none" color="gray.7" variant="filled" radius="sm">
          no label
        </Badge>
      )}
    </>
  );
}

export function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <Tooltip label="Close">
      <ActionIcon size="lg" aria-label="Close the panel" onClick={onClose}>
        <X size={17} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Leaves the view, because explaining is for administrators. */
function ExplainForUser({ user, kind, id }: { user: string } & EntityRef) {
  const label = `Why can ${escapeInvisible(user)} see this ${kind}?`;
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" component="a" href={addressOf(explainPath({ user, entity: { kind, id } }))} aria-label={label}>
        <ShieldQuestion size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
