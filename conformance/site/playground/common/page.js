/**
 * The frame of every playground: what the address opens, undo, copies, and what a click did.
 *
 * @template State
 * @typedef {object} Game
 * @property {string} system
 * @property {{name: string, title: string, about: string, state: State}[]} examples  the first one is
 *   shown if the address names nothing; an example can have more, which a view finds in `from`
 * @property {(value: any) => State} check  throws Unopened
 * @property {(id: string, vector: object) => State} fromVector  throws Unopened
 * @property {(state: State, page: Page) => Node[]} view
 * @property {(state: State) => Copy[]} copies
 *
 * @typedef {object} Copy
 * @property {string} name  of the button
 * @property {string} hint  what can be done with it
 * @property {string} text
 */
import { Unopened, addressOf, opened } from './address.js';
import { button, h, labelled, select } from './element.js';
import { vectorMark } from './links.js';
import { unpacked } from './packed.js';
import { Store } from './store.js';

/** Shows a playground, with the vectors of its script. */
export async function play(game) {
  return new Page(game, await unpacked(globalThis.rejoinVectors));
}

/** @template State */
export class Page {
  /** @param {Game<State>} game @param {object} vectors  ID -> what it opens */
  constructor(game, vectors) {
    this.game = game;
    this.vectors = vectors;
    this.root = document.getElementById('page');
    this.status = h('p', { role: 'status', id: 'status' });
    /** What a view remembers beside the state: the chosen step, the text of a field. */
    this.memory = {};
    /** @type {Copy | null} */
    this.copied = null;
    this.body = h('div');
    this.root.append(this.status, this.body);
    addEventListener('hashchange', () => this.open());
    addEventListener('keydown', (event) => this.#key(event));
    this.open();
  }

  get state() {
    return this.store.state.state;
  }

  /** What the state began as: its title, a sentence about it, its vector, and the first state. */
  get from() {
    return this.store.state.from;
  }

  /** Opens what the address names. */
  open() {
    try {
      const from = this.#named(opened(location.hash));
      this.#begin(from);
      this.say(`Opened: ${from.title}.`);
    } catch (error) {
      if (!(error instanceof Unopened)) throw error;
      const [first] = this.game.examples;
      const kept = this.store ? 'Nothing was changed' : `Shown instead: ${first.title}`;
      if (!this.store) this.#begin(first);
      this.say(`This address cannot be opened: ${error.message}. ${kept}.`, true);
    }
    this.draw();
  }

  /** Shows another beginning. It can be undone if there was one before. */
  #begin(from) {
    this.memory = {};
    this.copied = null;
    const next = { state: from.state, from };
    if (this.store) this.store.to(next, `Opened: ${from.title}.`);
    else this.store = new Store(next);
  }

  #named({ kind, name, value }) {
    const { examples, check, fromVector } = this.game;
    if (kind === 'nothing') return examples[0];
    if (kind === 'state') {
      return { state: check(value), title: 'the state in the address', about: '' };
    }
    if (kind === 'example') {
      const found = examples.find((it) => it.name === name);
      if (found) return found;
      throw new Unopened(`there is no example ${name.slice(0, 60)}`);
    }
    if (!Object.hasOwn(this.vectors, name)) {
      throw new Unopened(`there is no vector ${name.slice(0, 100)} that this page can open`);
    }
    const vector = this.vectors[name];
    return { state: check(fromVector(name, vector)), title: `vector ${name}`, about: vector.summary, vector: name };
  }

  /** Replaces the state. @param {State} state @param {string} done  what the click did */
  to(state, done) {
    this.store.to({ ...this.store.state, state }, done);
    this.#changed(done);
  }

  undo() {
    const done = this.store.undo();
    if (done !== null) this.#changed(`Undone: ${done}`);
  }

  redo() {
    const done = this.store.redo();
    if (done !== null) this.#changed(`Done again: ${done}`);
  }

  #changed(said) {
    this.copied = null;
    history.replaceState(null, '', addressOf(this.state));
    this.say(said);
    this.draw();
  }

  /** Shows one line that screen readers announce. */
  say(text, refused = false) {
    this.status.textContent = text;
    this.status.classList.toggle('refused', refused);
  }

  /** Shows another step, or another part of the state. Nothing is changed. */
  look(field, value, said) {
    this.memory[field] = value;
    this.say(said);
    this.draw();
  }

  /** Draws the page again. The field or button that had the focus keeps it. */
  draw() {
    const { activeElement: active } = document;
    const id = this.body.contains(active) ? active.id : '';
    const caret = id && 'selectionStart' in active ? active.selectionStart : null;
    this.body.replaceChildren(this.#bar(), ...this.game.view(this.state, this), this.#copies());
    for (const list of this.body.querySelectorAll('.scroll')) {
      const current = list.querySelector('[aria-current]');
      if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    }
    const again = id ? document.getElementById(id) : null;
    again?.focus({ preventScroll: true });
    if (again && caret !== null && again.type !== 'checkbox') again.setSelectionRange?.(caret, caret);
  }

  #key(event) {
    if (event.target.matches?.('input, textarea, select') || event.altKey) return;
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    if (event.shiftKey) this.redo();
    else this.undo();
  }

  #bar() {
    const { examples } = this.game;
    const { title, about, vector } = this.from;
    const chosen = examples.find((it) => it.title === title)?.name ?? '';
    const go = (hash) => {
      if (location.hash === hash) this.open();
      else location.hash = hash;
    };
    const openVector = (event) => {
      const part = event.target.value.trim();
      const found = this.#vectorsWith(part);
      if (found.length === 1) go(`#vector=${found[0]}`);
      else if (part) this.say(found.length === 0 ? `No vector that this page can open has ${part} in its ID.` : `${found.length} vectors have ${part} in their ID. Choose one of the list.`, true);
    };
    const ids = Object.keys(this.vectors).map((value) => h('option', { value }));
    const options = examples.map(({ name, title }) => [name, title]);
    const again = () => this.to(this.from.state, `Begun again: ${title}.`);
    const undoable = this.store.past.at(-1);
    return h(
      'div',
      { class: 'panel bar' },
      h(
        'div',
        { class: 'row' },
        labelled(
          'Example',
          select([...(chosen ? [] : [['', 'choose one']]), ...options], chosen, (name) => go(`#example=${name}`), {
            id: 'example',
          }),
        ),
        labelled(
          'or a test vector',
          h('input', { id: 'vector', list: 'vectors', change: openVector, placeholder: 'type a part of its ID', size: 34, autocomplete: 'off' }),
        ),
        h('datalist', { id: 'vectors' }, ids),
        button('Undo', () => this.undo(), { id: 'undo', disabled: !undoable, title: undoable?.done ?? '' }),
        button('Redo', () => this.redo(), { id: 'redo', disabled: this.store.future.length === 0 }),
        button('Start again', again, { id: 'again', disabled: this.state === this.from.state }),
      ),
      about ? h('p', { id: 'about' }, vector ? [vectorMark(vector), ': '] : null, about) : null,
    );
  }

  /** The IDs that a text names: itself, or all that contain it. */
  #vectorsWith(part) {
    if (Object.hasOwn(this.vectors, part)) return [part];
    return part ? Object.keys(this.vectors).filter((id) => id.includes(part)) : [];
  }

  #copies() {
    const all = [
      { name: 'link', hint: 'Opens this state in a browser.', text: location.href.split('#')[0] + addressOf(this.state) },
      ...this.game.copies(this.state),
    ];
    const copy = (each) => {
      this.copied = each;
      this.draw();
      void navigator.clipboard?.writeText(each.text).then(
        () => this.say(`Copied as a ${each.name}.`),
        () => this.say(`Here is the ${each.name}. Copy it from the field.`),
      );
      document.getElementById('copied').select();
    };
    const buttons = all.map((each) =>
      button(`Copy as a ${each.name}`, () => copy(each), { id: `copy-${each.name.replaceAll(' ', '-')}` }),
    );
    const shown = this.copied && [
      h('p', {}, this.copied.hint),
      h('textarea', { id: 'copied', rows: 8, readonly: true, 'aria-label': this.copied.name, value: this.copied.text }),
    ];
    return h('section', { class: 'panel', 'aria-label': 'Copy' }, h('h2', {}, 'Take it with you'), h('div', { class: 'row' }, buttons), shown);
  }
}
