// Uses the pages of React in the guides as a user does: see TestTypeScriptOfTheGuides.
const { JSDOM } = require('jsdom');

const [, , url, token] = process.argv;
const { window } = new JSDOM('', { url: 'http://localhost:5173', pretendToBeVisual: true });
Object.assign(globalThis, { window, document: window.document, FormData: window.FormData });
globalThis.navigator ??= window.navigator; // Node 20 has none

const { createElement } = require('react');
const { createRoot } = require('react-dom/client');
const { Client } = require('./graphrest-client.js');
const client = new Client(url, token);

function show(page, props) {
  const place = window.document.body.appendChild(window.document.createElement('div'));
  createRoot(place).render(createElement(page.default, props));
  return place;
}

// find waits for what is seen to have a part; the test ends the program if that never comes.
async function find(look) {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((next) => setTimeout(next, 20));
  }
}

function type(input, text) {
  Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, 'value').set.call(input, text);
  input.dispatchEvent(new window.Event('input', { bubbles: true }));
}

async function main() {
  const people = show(require('./People.js'), { client });
  const name = await find(() => people.querySelector('input'));
  if (name.value !== 'Seed') throw new Error(people.innerHTML);
  type(name, 'Renamed');
  name.dispatchEvent(new window.FocusEvent('focusout', { bubbles: true }));
  await find(async () => {
    for await (const person of client.listNodes('Person')) if (person.properties.name === 'Renamed') return true;
    return false;
  });

  const app = show(require('./App.js'));
  type(await find(() => app.querySelector('input[name=username]')), 'vera');
  type(app.querySelector('input[name=password]'), 'correct horse battery');
  app.querySelector('button').click();
  await find(() => app.querySelector('li')?.textContent === 'Renamed');
  console.log('the pages work');
  process.exit(0);
}

main().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
