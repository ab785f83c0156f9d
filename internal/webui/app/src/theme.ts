import { createTheme, type MantineColorsTuple } from '@mantine/core';

const sea: MantineColorsTuple = [
  '#e8f6f9',
  '#d3ebf1',
  '#a9d8e3',
  '#7cc4d5',
  '#58b7cf',
  '#379bb4',
  '#1f7f97',
  '#0f6b82',
  '#0f5f74',
  '#0a4858',
];

/** The theme. The defaults of components are set here only. */
export const theme = createTheme({
  colors: { sea },
  primaryColor: 'sea',
  // Both shades have enough contrast for white text.
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  // Whoever asks the system for less motion gets menus and dialogs without transitions.
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.35rem' }, h2: { fontSize: '1.1rem' }, h3: { fontSize: '0.95rem' } } },
  components: {
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
        styles: { title: { fontWeight: 650 } },
      },
    },
    // The arrow of selects, an image without a name.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    Button: { defaultProps: { size: 'sm' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: true } },
  },
});

// Colours of types on the canvas, in tables and in the schema: distinct, and dark enough for white text. In dark colours they are lighter.
export const palette = [
  '#0f6b82',
  '#b4540a',
  '#5b4bb7',
  '#2f7d32',
  '#b02a5b',
  '#7a5c00',
  '#1c63b8',
  '#7b3fa0',
  '#a33a2c',
  '#3d6e5f',
  '#5c6670',
  '#8a4b16',
  '#00695c',
  '#9a2a86',
  '#4f6b00',
  '#7d5b5b',
  '#9b1c31',
  '#6d5a9c',
  '#00678f',
  '#33479b',
];

/** The percentage of white in the colour of a type on a dark background, which has a contrast of at least 3:1 then. */
export const darkLightening = 45;
