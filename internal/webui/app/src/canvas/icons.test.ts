import { expect, test } from 'vitest';
import { drawIcon, iconImage, icons } from './icons';

test('every icon has shapes and a name of the service', () => {
  for (const [name, { label, shapes }] of icons) {
    expect(name).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect([name, label.length > 2, shapes.length > 0]).toEqual([name, true, true]);
  }
});

test('an icon is black on light colours and white on dark ones, and an unknown name draws nothing', () => {
  const svg = (colour: string) => decodeURIComponent(iconImage('plane', colour)!);
  expect(svg('#ffe08a')).toContain('stroke="#15191b"');
  expect(svg('#1c63b8')).toContain('stroke="#ffffff"');
  expect(svg('#1c63b8')).not.toContain('key=');
  for (const name of ['"/><script>', 'constructor', '', undefined]) {
    expect(iconImage(name, '#1c63b8')).toBeUndefined();
    expect(drawIcon(name, 0, 0, 40, '#1c63b8')).toBe('');
  }
});

test('in an image the icon stands in the middle of its node', () => {
  expect(drawIcon('plane', 100, 50, 48, '#1c63b8')).toMatch(/^<g transform="translate\(86\.6 36\.6\) scale\(1\.12\)"><g .*<path d="M/);
});
