// The menu of the right mouse button, and of the menu key in the list of nodes.
import { Menu } from '@mantine/core';
import type { Core, EventObject, SingularElementReturnValue } from 'cytoscape';
import { useEffect, useState } from 'react';

/** Where the menu is open, and for what; the empty id is the background. */
export interface MenuPlace {
  id: string;
  x: number;
  y: number;
}

export interface MenuEntry {
  label: string;
  run: () => void;
}

/** Opens the menu by a right click on the canvas. */
export function useMenuPlace(core: Core | null, onOpen: (id: string) => void) {
  const [place, setPlace] = useState<MenuPlace | null>(null);
  useEffect(() => {
    if (!core) return;
    const open = (event: EventObject) => {
      const id = event.target === core ? '' : (event.target as SingularElementReturnValue).id();
      onOpen(id);
      setPlace({ id, ...event.renderedPosition });
    };
    const prevent = (event: Event) => event.preventDefault();
    const container = core.container();
    core.on('cxttap', open);
    container?.addEventListener('contextmenu', prevent);
    return () => {
      core.off('cxttap', open);
      container?.removeEventListener('contextmenu', prevent);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- onOpen only selects
  }, [core]);
  return [place, setPlace] as const;
}

interface Props {
  place: MenuPlace;
  /** Groups of entries, with a line between them. */
  entries: MenuEntry[][];
  onClose: () => void;
}

export function ContextMenu({ place, entries, onClose }: Props) {
  return (
    <Menu opened onChange={(opened) => !opened && onClose()} position="right-start" width={230} key={`${place.x} ${place.y}`}>
      <Menu.Target>
        <span style={{ position: 'absolute', left: place.x, top: place.y, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown aria-label="Actions">
        {entries
          .filter((group) => group.length > 0)
          .map((group, index) => [
            index > 0 && <Menu.Divider key={`line ${index}`} />,
            ...group.map(({ label, run }) => (
              <Menu.Item key={label} onClick={run}>
                {label}
              </Menu.Item>
            )),
          ])}
      </Menu.Dropdown>
    </Menu>
  );
}
