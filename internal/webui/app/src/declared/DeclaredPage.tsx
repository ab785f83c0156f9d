import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListChecks, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { GridTable } from '../shell/GridTable';
import { RowAction } from '../shell/RowAction';
import { LoadError, Loading } from '../shell/States';
import { ListPage } from '../shell/ListPage';
import { notify } from '../shell/notify';
import { pluralize, escapeInvisible } from '../values/text';
import { draftOf, emptySchema, entityKindOf, listDeclared, deleteDeclaration, type DeclaredType, type Draft } from './declared';
import { DeclareDialog } from './DeclareDialog';
import { ViolationsDialog } from './ViolationsDialog';

const emptyDraft: Draft = { kind: 'nodes', type: '', level: 'new', schema: emptySchema, unique: [], sources: [], targets: [] };

/** The declared types, for administrators. */
export default function DeclaredPage() {
  const queries = useQueryClient();
  const list = useQuery({ queryKey: ['declared'], queryFn: listDeclared });
  const [editing, setEditing] = useState<{ draft: Draft; existing: boolean } | null>(null);
  const [viewing, setViewing] = useState<DeclaredType | null>(null);
  const [deleting, setDeleting] = useState<DeclaredType | null>(null);
  if (list.isPending) return <Loading subject="the declared types" />;
  if (list.isLoadingError) return <LoadError error={list.error} subject="the declared types" retry={() => void list.refetch()} />;

  function finish(title: string, type: string) {
    void queries.invalidateQueries({ queryKey: ['declared'] });
    void queries.invalidateQueries({ queryKey: ['schema'] });
    setEditing(null);
    setDeleting(null);
    notify(escapeInvisible(type), title);
  }
  const button = (
    <Button size="xs" leftSection={<Plus size={15} />} onClick={() => setEditing({ draft: emptyDraft, existing: false })}>
      Declare a type
    </Button>
  );
  return (
    <ListPage
      title="Declared types"
      count={pluralize(list.data.length, 'type', 'types')}
      actions={button}
      empty={
        list.data.length === 0
          ? {
              icon: ListChecks,
              title: 'No declared types',
              text:
                'A declaration defines which properties the nodes or edges of a type must have. ' +
                'The service can generate one from the data.',
              action: button,
            }
          : null
      }
      dialogs={
        <>
          {editing && (
            <DeclareDialog
              start={editing.draft}
              existing={editing.existing}
              onClose={() => setEditing(null)}
              onDone={(type) => finish('Type declared', type)}
            />
          )}
          {viewing && <ViolationsDialog declared={viewing} onClose={() => setViewing(null)} />}
          {deleting && (
            <ConfirmDialog
              title="Delete this declaration?"
              label="Delete declaration"
              onClose={() => setDeleting(null)}
              run={async () => {
                await deleteDeclaration(deleting.kind, deleting.type);
                finish('Declaration deleted', deleting.type);
              }}
            >
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                The {deleting.kind} of <strong>{escapeInvisible(deleting.type)}</strong> are kept and are no longer checked.
              </Text>
            </ConfirmDialog>
          )}
        </>
      }
    >
      <GridTable
        label="All declared types"
        head={
          <>
            <th>Type</th>
            <th>Level</th>
            <th>Required</th>
            <th>Unique</th>
            <th>Source → target</th>
            <th aria-label="Actions" />
          </>
        }
      >
        {list.data.map((t) => (
          <Row
            key={`${t.kind}/${t.type}`}
            declared={t}
            onEdit={() => setEditing({ draft: draftOf(t), existing: true })}
            onView={() => setViewing(t)}
            onDelete={() => setDeleting(t)}
          />
        ))}
      </GridTable>
    </ListPage>
  );
}

function Row({
  declared: t,
  onEdit,
  onView,
  onDelete,
}: {
  declared: DeclaredType;
  onEdit: () => void;
  onView: () => void;
  onDelete: () => void;
}) {
  const name = escapeInvisible(t.type);
  const required = (t.schema as { required?: unknown }).required;
  const ends = (types: string[]) => (types.length === 0 ? 'any' : types.map(escapeInvisible).join(', '));
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>
        {name} <span className="type-count">{entityKindOf(t.kind)}s</span>
      </td>
      <td style={{ whiteSpace: 'nowrap' }}>{t.level}</td>
      <td>{Array.isArray(required) ? required.map((p) => escapeInvisible(String(p))).join(', ') : ''}</td>
      <td>{t.unique.map((key) => key.map(escapeInvisible).join(' + ')).join('; ')}</td>
      <td>{t.kind === 'edges' ? `${ends(t.source_types)} → ${ends(t.target_types)}` : ''}</td>
      <td className="right">
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <RowAction label="Violations" name={`Violations of ${name}`} icon={ListChecks} onClick={onView} />
          <RowAction label="Edit" name={`Edit ${name}`} icon={Pencil} onClick={onEdit} />
          <RowAction label="Delete" name={`Delete ${name}`} icon={Trash2} onClick={onDelete} />
        </Group>
      </td>
    </tr>
  );
}
