// @long
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from './api';
import { findings } from './axe';
import { base, openAs, sample } from './browser';

const ada = () => `/api/nodes/${sample.people[0]}`;

describe('dates, times, zones and points', () => {
  const before: Record<string, unknown> = {};
  afterEach(async () => {
    await (
      await connect(base)
    )('PUT', ada(), { properties: { ...before, seen: null, local: null, alarm: null } });
  });

  test('are chosen by their parts, without a text in a special format', async () => {
    const admin = await connect(base);
    const { properties } = await admin<{ properties: Record<string, unknown> }>('GET', ada());
    for (const name of ['born', 'home', 'lastSeen', 'notice']) before[name] = properties[name];

    const page = await openAs('editor', `/explore?type=Person&open=node:${sample.people[0]}`);
    await page.getByRole('button', { name: 'Edit properties' }).click();

    // By the keyboard alone: the button beside the text shows the parts.
    const zoned = page.getByRole('button', { name: 'Choose date, time or zone of lastSeen' });
    await zoned.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Date of lastSeen').fill('2026-12-24');
    await page.getByLabel('Time of lastSeen').fill('18:05');
    await page.locator('input[aria-label="Zone of lastSeen"]').fill('America/New_York');
    await expect.poll(() => page.getByLabel('Value of lastSeen').inputValue()).toBe('2026-12-24T18:05:00-05:00[America/New_York]');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Choose date, time or zone of born' }).click();
    await page.getByLabel('Date of born').fill('1951-02-03');
    await page.getByRole('button', { name: 'Choose the duration of notice' }).click();
    await page.getByLabel('months of notice').fill('6');
    await page.getByLabel('days of notice').fill('15');
    await expect.poll(() => page.getByLabel('Value of notice').inputValue()).toBe('P6M15D');

    await page.getByRole('button', { name: 'Map of home' }).click();
    const map = page.getByRole('img', { name: /^Map of home: at longitude -9.14, latitude 38.72/ });
    const box = (await map.boundingBox())!;
    await map.click({ position: { x: box.width * 0.75, y: box.height * 0.25 } });
    await expect.poll(async () => Math.abs(Number(await page.getByLabel('Longitude of home').inputValue()) - 90)).toBeLessThan(2);
    await page.getByLabel('Latitude of home').fill('59.33');
    await page.getByLabel('Longitude of home').fill('18.07');
    // A point has fields only; a missing one is an error.
    await page.getByLabel('Latitude of home').fill('');
    await page.getByRole('group', { name: 'Value of home' }).getByText('Write a number for each coordinate').waitFor();
    await page.getByLabel('Latitude of home').fill('59.33');
    await expect.poll(() => page.getByText('SRID').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save 4 changes' }).click();
    await page.getByRole('button', { name: 'Edit properties' }).waitFor();

    await page
      .getByRole('definition')
      .filter({ hasText: /^POINT \(18\.07 59\.33\)$/ })
      .waitFor();
    const saved = await admin<{ properties: Record<string, unknown> }>('GET', ada());
    expect(saved.properties).toMatchObject({
      born: { $type: 'Date', _value: '1951-02-03' },
      notice: { $type: 'Duration', _value: 'P6M15D' },
      home: { $type: 'Point', _value: 'SRID=4326;POINT (18.07 59.33)' },
      lastSeen: { $type: 'ZonedDateTime', _value: '2026-12-24T18:05:00-05:00[America/New_York]' },
    });
    await page.getByRole('tab', { name: 'History' }).click();
    await page
      .getByRole('list', { name: 'Changes, newest first' })
      .getByRole('row', { name: 'home POINT (-9.14 38.72) POINT (18.07 59.33)', exact: true })
      .first()
      .waitFor();
  });

  test('of every type begin empty, are added and filtered by', async () => {
    const page = await openAs('editor', `/explore?type=Person&open=node:${sample.people[0]}`);
    await page.getByRole('button', { name: 'Edit properties' }).click();
    const added: [string, string, () => Promise<void>, string][] = [
      [
        'seen',
        'OffsetDateTime',
        async () => {
          await page.getByLabel('Date of seen').fill('2026-01-02');
          await page.getByLabel('Time of seen').fill('03:04:05');
          await page.getByLabel('Offset of seen').selectOption('-03:00');
        },
        '2026-01-02T03:04:05-03:00',
      ],
      [
        'local',
        'LocalDateTime',
        async () => {
          await page.getByLabel('Date of local').fill('2026-01-02');
          await page.getByLabel('Time of local').fill('03:04');
        },
        '2026-01-02T03:04:00',
      ],
      [
        'alarm',
        'Time',
        async () => {
          await page.getByLabel('Time of alarm').fill('06:30');
          await page.getByLabel('Offset of alarm').selectOption('+05:30');
        },
        '06:30:00+05:30',
      ],
    ];
    for (const [name, kind, choose, text] of added) {
      await page.getByRole('button', { name: 'Add a property' }).click();
      await page.locator('input[aria-label="Name of the new property"]').last().fill(name);
      await page.keyboard.press('Escape');
      await page.getByLabel(`Type of ${name}`).selectOption({ value: kind });
      await page.getByRole('button', { name: `Choose date, time or zone of ${name}` }).click();
      await choose();
      await expect.poll(() => page.getByLabel(`Value of ${name}`, { exact: true }).inputValue()).toBe(text);
    }
    await page.getByRole('button', { name: 'Save 3 changes' }).click();
    await page.getByRole('button', { name: 'Edit properties' }).waitFor();

    await page.goto(`${base}/explore?type=Person`);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Property').selectOption('born');
    await page.getByLabel('Condition').selectOption('gte');
    await page.getByRole('button', { name: /^Choose date/ }).click();
    await page.getByLabel(/^Date of/).fill('1990-01-01');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Edit filter born ≥ 1990-01-01' }).waitFor();
  });
});
