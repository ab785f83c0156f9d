// The menu of saved views on the Explore page. The button shows which one is open, and whether it was changed since.
import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { onDemand } from '../api/onDemand';
import { addressOf } from '../api/address';
import { asProblem } from '../api/problem';
import type { EntityKind } from '../api/graph';
import type { View } from '../explore/url';
import { useSession } from '../session/session';
import { viewAs } from '../session/viewAs';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { copyText, notify, notifyProblem } from '../shell/notify';
import { escapeInvisible } from '../values/text';
import { serializeOpened, useOpenedView } from './opened';
import { encodeState, type ViewState } from './state';
import {
  changeView,
  createView,
  deleteView,
  getView,
  sharingText,
  viewKey,
  viewPath,
  viewsKey,
  type SavedView,
  type ViewMembers,
  type ViewPage,
} from './views';

const OpenDialog = onDemand(() => import('./OpenDialog'));
const OverwriteDialog = onDemand(() => import('./OverwriteDialog'));
const ViewDialog = onDemand(() => import('./ViewDialog'));

type Dialog = { kind: 'open' | 'create' | 'edit' | 'delete' } | { kind: 'overwrite'; now: ViewState; theirs: SavedView } | null;

interface Props {
  view: View;
  change: (next: Partial<View>) => void;
  /** The types of the rows that are loaded. */
  typesOfRows: () => Record<EntityKind, string[]>;
}

const pageOf = ({ view, kind, question }: View): ViewPage =>
  view === 'graph' || question ? 'explore' : kind === 'edge' ? 'edges' : 'nodes';

const contentOf = (state: ViewState) => ({ page: pageOf(state.view), state: encodeState(state) });

/** The open view, the open dialog, and what can be done with the view. */
function useViewActions(view: View, change: Props['change'], typesOfRows: Props['typesOfRows']) {
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<Dialog>(null);
  const [busy, setBusy] = useState(false);
  const { opened, saved, unreadable, changed, readNow } = useOpenedView(view, typesOfRows);
  const close = () => setDialog(null);

  /** Keeps what was saved, and makes it the open view. */
  function keep(next: SavedView) {
    queries.setQueryData(viewKey(next.id), next);
    void queries.invalidateQueries({ queryKey: viewsKey, predicate: ({ queryKey }) => queryKey[1] !== 'one' });
    change({ saved: serializeOpened(next) });
    close();
  }
  async function save(version: number | null, state = readNow()) {
    setBusy(true);
    try {
      keep(await changeView(saved!.id, contentOf(state), version));
      notify(escapeInvisible(saved!.name), 'Saved view updated');
    } catch (error) {
      if (asProblem(error).code === 'PRECONDITION_FAILED') await askToOverwrite(state);
      else notifyProblem(error, 'The view was not saved');
    }
    setBusy(false);
  }
  async function askToOverwrite(now: ViewState) {
    try {
      setDialog({ kind: 'overwrite', now, theirs: await getView(saved!.id) });
    } catch (error) {
      notifyProblem(error, 'The view was not saved');
    }
  }
  async function create(members: ViewMembers) {
    const created = await createView({ ...members, ...contentOf(readNow()) });
    keep(created);
    notify(escapeInvisible(created.name), 'View saved');
  }
  /** A new name or other sharing; what is shown stays as it is. */
  async function edit(members: ViewMembers) {
    const edited = await changeView(saved!.id, members, saved!.version);
    if (opened!.version === saved!.version) return keep(edited);
    queries.setQueryData(viewKey(edited.id), edited);
    close();
  }
  async function remove() {
    await deleteView(saved!.id);
    void queries.invalidateQueries({ queryKey: viewsKey, predicate: ({ queryKey }) => queryKey[1] !== 'one' });
    notify(escapeInvisible(saved!.name), 'Saved view deleted');
    change({ saved: '' });
    close();
  }
  return { dialog, setDialog, close, busy, opened, saved, unreadable, changed, save, create, edit, remove };
}

export default function ViewsMenu({ view, change, typesOfRows }: Props) {
  const navigate = useNavigate();
  const { account } = useSession();
  const views = useViewActions(view, change, typesOfRows);
  const { dialog, setDialog, close, busy, opened, saved, unreadable, changed, save } = views;
  const mayWrite = viewAs === null;
  const label = saved ? escapeInvisible(saved.name) : 'Views';
  const mayDelete = saved !== undefined && mayWrite && (saved.own || account?.admin === true);

  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<Bookmark size={14} aria-hidden />}
            rightSection={<ChevronDown size={14} aria-hidden />}
            loading={busy}
            className={saved ? 'views-button' : 'views-button brief'}
            title={saved ? `${label}, ${sharingText(saved)}${changed ? ', changed since it was saved' : ''}` : 'Saved views'}
            aria-label={saved ? `Saved view ${label}${changed ? ' changed' : ''}` : 'Views'}
          >
            <span className="view-name">{label}</span>
            {changed && <span className="view-changed"> changed</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {saved && <Menu.Label style={{ overflowWrap: 'anywhere' }}>{`${label}, ${sharingText(saved)}`}</Menu.Label>}
          {unreadable && <Menu.Label>The view that was open was deleted, or it is not shared with you any more.</Menu.Label>}
          {saved?.own && mayWrite && (
            <Menu.Item disabled={!changed} onClick={() => void save(opened!.version)}>
              Save
            </Menu.Item>
          )}
          {mayWrite && <Menu.Item onClick={() => setDialog({ kind: 'create' })}>Save as new…</Menu.Item>}
          {changed && <Menu.Item onClick={() => void navigate(viewPath(saved!.id))}>Discard the changes</Menu.Item>}
          <Menu.Item onClick={() => setDialog({ kind: 'open' })}>Open…</Menu.Item>
          {saved && (
            <>
              <Menu.Divider />
              {saved.own && mayWrite && <Menu.Item onClick={() => setDialog({ kind: 'edit' })}>Rename and share…</Menu.Item>}
              <Menu.Item onClick={() => void copyText(location.origin + addressOf(viewPath(saved.id)), 'Link')}>Copy link</Menu.Item>
              {mayDelete && (
                <Menu.Item color="red" onClick={() => setDialog({ kind: 'delete' })}>
                  Delete…
                </Menu.Item>
              )}
              <Menu.Item onClick={() => change({ saved: '' })}>Close the view</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog?.kind === 'open' && <OpenDialog changed={changed ? label : null} onClose={close} />}
        {dialog?.kind === 'create' && (
          <ViewDialog title="Save as a new view" label="Save" before={null} account={account} onSubmit={views.create} onClose={close} />
        )}
        {dialog?.kind === 'edit' && saved && (
          <ViewDialog
            title="Rename and share the view"
            label="Save"
            before={saved}
            account={account}
            onSubmit={views.edit}
            onClose={close}
          />
        )}
        {dialog?.kind === 'overwrite' && (
          <OverwriteDialog
            now={dialog.now}
            theirs={dialog.theirs}
            onSaveAsNew={() => setDialog({ kind: 'create' })}
            onOpenTheirs={() => void navigate(viewPath(dialog.theirs.id))}
            onClose={close}
            onOverwrite={() => save(dialog.theirs.version, dialog.now)}
          />
        )}
      </Suspense>
      {dialog?.kind === 'delete' && saved && (
        <ConfirmDialog title={`Delete “${label}”?`} label="Delete" run={views.remove} onClose={close}>
          The saved view is deleted for everyone who may open it. What it shows stays in the graph.
        </ConfirmDialog>
      )}
    </>
  );
}
