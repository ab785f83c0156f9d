import { ActionIcon, Menu, Modal } from '@mantine/core';
import { BookOpen } from 'lucide-react';
import { Fragment, useEffect, useState } from 'react';
import { addressOf } from '../api/address';
import { typingOrOverlay } from './keepFocus';

const shortcuts: [subject: string, keys: [keys: string, does: string][]][] = [
  [
    'Everywhere',
    [
      ['Ctrl K', 'Find a page, a type, an ID or a text of the graph'],
      ['?', 'Show this list'],
      ['Ctrl Z', 'Go to Undo, and undo the last change; on the canvas, the last step'],
      ['Escape', 'Close the dialog, the panel or the cell'],
    ],
  ],
  [
    'Tables',
    [
      ['↑ ↓ Page up Page down Home End', 'Go to a row'],
      ['← →', 'Go to a cell'],
      ['Enter', 'Open the row'],
      ['F2', 'Edit the cell'],
      ['Space', 'Select the row; with Shift, all rows up to it'],
      ['Ctrl A', 'Select all rows'],
    ],
  ],
  [
    'The list beside the canvas',
    [
      ['↑ ↓', 'Select; with Shift, several'],
      ['Ctrl A', 'Select all that Find on the canvas has found'],
      ['Enter', 'Open'],
      ['E C G P H', 'Expand, collapse, group, pin, hide'],
      ['Ctrl Y', 'Do the undone step again'],
    ],
  ],
  ['Console', [['Ctrl Enter', 'Run the query']]],
];

const links = [
  { text: 'Guide of this interface', path: '/docs/guides/web-interface' },
  { text: 'All guides', path: '/docs/guides/' },
  { text: 'API documentation', path: '/docs' },
];

/** Opens the shortcuts with ?; not in fields, where it is a character, and not above a dialog. */
function useQuestionMark(open: () => void) {
  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest(typingOrOverlay)) return;
      event.preventDefault();
      open();
    }
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, [open]);
}

/** The guides that the service has, the documentation of its API, and the keyboard shortcuts. */
export function HelpMenu() {
  const [shown, setShown] = useState(false);
  useQuestionMark(() => setShown(true));
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="lg" aria-label="Help">
            <BookOpen size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setShown(true)} rightSection={<span className="kbd">?</span>}>
            Keyboard shortcuts
          </Menu.Item>
          {links.map(({ text, path }) => (
            <Menu.Item key={path} component="a" href={addressOf(path)} target="_blank" rel="noopener">
              {text}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={shown} onClose={() => setShown(false)} title="Keyboard shortcuts" size="lg">
        {shortcuts.map(([subject, keys]) => (
          <Fragment key={subject}>
            <h3 className="section-title">{subject}</h3>
            <dl className="shortcuts">
              {keys.map(([key, does]) => (
                <div key={key}>
                  <dt className="mono">{key}</dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </Fragment>
        ))}
      </Modal>
    </>
  );
}
