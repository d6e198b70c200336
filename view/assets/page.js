'use strict';
const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const kinds = ['text', 'code', 'table'];
const state = {
  doc: null, sets: [], current: 0, selected: -1,
  off: new Set(), from: 0, to: Infinity,
  rows: null, asked: 0,
};

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k in e && k !== 'list') e[k] = v; else e.setAttribute(k, v);
  }
  e.append(...children);
  return e;
}

// A List draws those of its rows that are in sight.
class List {
  constructor(box, height, draw) {
    Object.assign(this, {box, height, drawRow: draw, n: 0, waiting: false});
    this.space = el('div', {className: 'space'});
    box.append(this.space);
    box.addEventListener('scroll', () => this.later());
    new ResizeObserver(() => this.later()).observe(box);
  }
  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }
  set(n) { this.n = n; this.space.style.height = n * this.height + 'px'; this.draw(); }
  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 10);
    const last = Math.min(this.n, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + 10);
    const rows = document.createDocumentFragment();
    for (let i = first; i < last; i++) {
      const row = this.drawRow(i);
      row.classList.add('row');
      row.dataset.i = i;
      row.style.top = i * this.height + 'px';
      rows.append(row);
    }
    this.space.replaceChildren(rows);
  }
  show(i) {
    const top = i * this.height, box = this.box;
    if (top < box.scrollTop + 2 * this.height || top > box.scrollTop + box.clientHeight - 3 * this.height)
      box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    this.later();
  }
}

// search returns the least i below n for which found(i) holds, or n.
function search(n, found) {
  let low = 0;
  while (low < n) {
    const middle = (low + n) >> 1;
    if (found(middle)) n = middle; else low = middle + 1;
  }
  return low;
}

// wide reports whether a character takes two columns.
const wide = c => c >= 0x1100 && (c <= 0x115f || c >= 0x2e80 && c <= 0xa4cf || c >= 0xac00 && c <= 0xd7a3 || c >= 0xf900 && c <= 0xfaff || c >= 0xfe30 && c <= 0xfe6f || c >= 0xff00 && c <= 0xff60 || c >= 0xd800 && c <= 0xdbff);

// layOut cuts a text into rows of at most so many columns.
function layOut(text, columns) {
  const starts = [], lines = [];
  let line = 1;
  for (let at = 0; at <= text.length; line++) {
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    let start = at, used = 0, blank = -1;
    starts.push(start); lines.push(line);
    for (let i = at; i < end; i++) {
      const c = text.charCodeAt(i);
      const w = c === 9 ? 4 : wide(c) ? 2 : c >= 0xdc00 && c <= 0xdfff ? 0 : 1;
      if (used + w > columns && i > start) {
        const cut = blank > start ? blank + 1 : i;
        starts.push(cut); lines.push(0);
        used = 0;
        for (let k = cut; k < i; k++) used += wide(text.charCodeAt(k)) ? 2 : 1;
        start = cut; blank = -1;
      }
      used += w;
      if (c === 32 || c === 9) blank = i;
    }
    at = end + 1;
  }
  return {starts: Int32Array.from(starts), lines: Int32Array.from(lines), n: starts.length, columns};
}

const rowEnd = i => i + 1 < state.rows.n ? state.rows.starts[i + 1] : state.doc.source.length;
const rowOf = offset => search(state.rows.n, i => state.rows.starts[i] > offset) - 1;

// prepare lays out where the own text of each chunk stands.
function prepare(set) {
  set.bands = [];
  set.chunks.forEach((c, i) => {
    for (const [role, s, e] of c.parts) if (role === 'body') set.bands.push([s, e, i]);
  });
  set.bands.sort((a, b) => a[0] - b[0]);
  return set;
}

// nodeAt returns the last node of the tree that begins at or before an offset.
const nodeAt = offset => search(state.doc.tree.length, i => state.doc.tree[i][2] > offset) - 1;

const bandAt = (set, offset) => search(set.bands.length, i => set.bands[i][1] > offset);
const shown = c => !state.off.has(c.type) && c.tokens >= state.from && c.tokens <= state.to;
const set = () => state.sets[state.current];

// The source: each row a cell for each set.
const source = new List($('source'), 20, i => {
  const row = el('div', {}, el('span', {className: 'no'}, state.rows.lines[i] ? String(state.rows.lines[i]) : ''));
  state.sets.forEach((s, k) => row.append(cell(s, k, state.rows.starts[i], rowEnd(i))));
  return row;
});

function cell(s, k, start, end) {
  const text = state.doc.source;
  const box = el('div', {className: 'cell'});
  box.dataset.set = k;
  let b = bandAt(s, start), at = start, own = -1;
  const marks = k === state.current && state.selected >= 0 ? s.chunks[state.selected].parts.filter(p => p[0] !== 'body') : [];
  const put = (from, to, mid) => {
    for (const [role, ps, pe] of marks) {
      if (ps < to && pe > from) {
        if (ps > from) box.append(plain(from, ps));
        box.append(el('span', {className: role}, plain(Math.max(from, ps), Math.min(to, pe))));
        from = Math.min(to, pe);
      }
    }
    if (from < to) box.append(mid ? el('span', {className: 'mid'}, plain(from, to)) : plain(from, to));
  };
  const plain = (from, to) => text.slice(from, to).replace(/[\r\n]+$/, '').replace(/\t/g, '    ');
  for (; b < s.bands.length && s.bands[b][0] < end; b++) {
    const [from, to, i] = s.bands[b];
    if (from > at) put(at, from);
    put(Math.max(at, from), Math.min(end, to), own >= 0 && own !== i);
    at = Math.min(end, to);
    if (own < 0) own = i;
    box.dataset.last = i;
  }
  if (at < end) put(at, end);
  if (own < 0) { // blank lines between the text of one chunk
    const next = s.bands[b], before = s.bands[b - 1];
    if (next && before && next[2] === before[2]) own = next[2];
    else if (next && before) box.classList.add('between');
  }
  if (own >= 0) {
    const c = s.chunks[own], last = s.chunks[box.dataset.last ?? own];
    box.classList.add(c.type, 'b' + own % 6);
    box.dataset.chunk = own;
    if (!shown(c)) box.classList.add('out');
    if (k === state.current && (own === state.selected || box.dataset.last == state.selected)) box.classList.add('sel');
    if (last.e <= end && last.e > start && last.e < text.length) box.classList.add('cut');
  }
  return box;
}

const tree = new List($('tree'), 22, i => {
  const [kind, depth, s, e, name] = state.doc.tree[i];
  const row = el('div', {className: kind, title: kind + (name ? ' ' + name : '')}, el('i', {}, kind + ' '), name || '');
  row.style.paddingLeft = 8 + 14 * depth + 'px';
  const c = state.selected >= 0 && set().chunks[state.selected];
  if (c && (s >= c.s && s < c.e || i === nodeAt(c.s))) row.classList.add('at');
  return row;
});

let list = []; // the chunks that pass the filters
const chunks = new List($('chunks'), 40, k => {
  const i = list[k], c = set().chunks[i], limit = set().settings.max;
  const row = el('div', {title: c.path},
    el('div', {className: 'name'}, el('span', {}, heading(c)), el('small', {}, c.tokens + ' / ' + limit)),
    bar(c, limit));
  if (i === state.selected) row.classList.add('sel');
  return row;
});

function bar(c, limit) {
  const fill = el('i');
  fill.style.width = Math.min(100, 100 * c.tokens / limit) + '%';
  return el('div', {className: 'bar ' + c.type + (c.tokens > limit ? ' over' : '')}, fill);
}

function heading(c) {
  const own = c.text.find(p => p[0] === 'body');
  const words = (own ? own[1] : '').trim().split('\n').find(l => /[\p{L}\p{N}]/u.test(l)) || '';
  return words.replace(/^[#>*\-\s|]+|[\s|]+$/g, '').slice(0, 120);
}

function select(i, scroll = true) {
  $('tip').hidden = true;
  state.selected = i;
  const k = list.indexOf(i);
  if (i >= 0 && scroll) {
    source.show(rowOf(set().chunks[i].s));
    if (k >= 0) chunks.show(k);
    tree.show(Math.max(0, nodeAt(set().chunks[i].s)));
  }
  source.draw(); chunks.draw(); tree.draw(); detail();
}

function detail() {
  const box = $('detail');
  box.replaceChildren();
  if (state.selected < 0) return;
  const c = set().chunks[state.selected], limit = set().settings.max;
  const used = new Set(c.text.map(p => p[0]).filter(r => r !== 'body'));
  const names = {head: 'repeated head', tail: 'repeated tail', overlap: 'overlap', written: 'label'};
  const lines = c.lines[0] === c.lines[1] ? 'line ' + c.lines[0] : 'lines ' + c.lines[0] + ' to ' + c.lines[1];
  box.append(
    el('h2', {}, c.path || state.doc.id),
    bar(c, limit),
    el('div', {className: 'facts'}, `${state.selected + 1} of ${set().chunks.length}, ${c.type}, ${c.tokens} of ${limit}, ${lines}. Ends: `,
      el('span', {className: 'why'}, c.reason), c.flags ? '. ' + c.flags.join(', ') : ''));
  if (c.context) box.append(el('div', {className: 'context', title: 'context: goes before the text to embed it'}, c.context));
  const pre = el('pre');
  for (const [role, text] of c.text) pre.append(role === 'body' ? text : el('span', {className: role, title: names[role]}, text));
  box.append(pre);
  if (used.size) box.append(el('div', {className: 'legend'}, ...[...used].map(r => el('span', {className: r}, names[r]))));
}

function filter() {
  list = [];
  set().chunks.forEach((c, i) => { if (shown(c)) list.push(i); });
  chunks.set(list.length);
  source.draw();
  const n = set().chunks.length;
  $('sum').textContent = list.length === n ? `${n} chunks` : `${list.length} of ${n} chunks`;
}

function figures(s) {
  const sizes = s.chunks.map(c => c.tokens).sort((a, b) => a - b);
  if (!sizes.length) return 'no chunks';
  const mean = sizes.reduce((a, b) => a + b, 0) / sizes.length;
  return `${sizes.length} chunks, mean ${mean.toFixed(0)}, p50 ${sizes[sizes.length >> 1]}, p90 ${sizes[Math.ceil(.9 * sizes.length) - 1]}, largest ${sizes[sizes.length - 1]}`;
}

// The settings: a row for each set, with controls where there is a server.
function settings() {
  $('settings').replaceChildren(...state.sets.map((s, k) => {
    const v = s.settings;
    const row = el('div', {className: 'set' + (k === state.current && state.sets.length > 1 ? ' current' : '')});
    const name = el('b', {title: 'list the chunks of this setting'}, state.sets.length > 1 ? 'AB'[k] : '');
    name.onclick = () => { turn(k); };
    row.append(name);
    if (!data.live) {
      row.append(`limit ${v.max} ${v.encoding}` + (v.overlap ? `, overlap ${v.overlap}` : '') + (v.isolate ? ', isolated' : ''));
    } else {
      const number = (field, label, most, title) => {
        const n = el('input', {type: 'number', min: {max: 1, min: -1}[field] ?? 0, value: v[field], id: field + k, title});
        n.onchange = () => recut(k, {[field]: +n.value});
        const parts = [label, n];
        if (field === 'max') {
          const slide = el('input', {type: 'range', min: 16, max: most, step: 8, value: v.max, ariaLabel: 'limit'});
          slide.oninput = () => { n.value = slide.value; recut(k, {max: +slide.value}); };
          parts.push(slide);
        }
        row.append(el('label', {}, ...parts));
      };
      number('max', 'limit', Math.max(2000, v.max), 'limit of a chunk, context included');
      number('min', 'minimum', 0, 'size under which a chunk is avoided; 0 for an eighth of the limit, -1 for none');
      number('overlap', 'overlap', 0, 'how much of the text before it a chunk repeats');
      for (const [field, label] of [['context', 'context'], ['isolate', 'tables and code apart']]) {
        const box = el('input', {type: 'checkbox', checked: v[field], id: field + k});
        box.onchange = () => recut(k, {[field]: box.checked});
        row.append(el('label', {}, box, label));
      }
      row.append(el('span', {className: 'dim'}, v.encoding));
    }
    row.append(el('span', {className: 'figures', id: 'figures' + k}, figures(s)));
    return row;
  }));
}

// refresh draws everything but the controls that a hand may be on.
function refresh(keep) {
  if (keep === undefined) settings();
  else {
    $('figures' + keep).textContent = figures(state.sets[keep]);
    $('figures' + keep).classList.remove('error');
  }
  filter();
  select(-1);
}

let timer = 0;
// recut asks for the chunks of set k with changed settings, once the hand rests.
function recut(k, change) {
  Object.assign(state.sets[k].settings, change);
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const asked = ++state.asked;
    const doc = await ask(state.doc.id, state.sets[k].settings, k);
    if (!doc || asked !== state.asked) return;
    state.sets[k] = prepare(doc.sets[0]);
    refresh(k);
  }, 120);
}

async function ask(id, s, k) {
  const q = new URLSearchParams({doc: id, max: s.max, min: s.min, overlap: s.overlap, context: s.context, isolate: s.isolate});
  try {
    const answer = await fetch('cut?' + q);
    if (answer.ok) return await answer.json();
    throw new Error((await answer.text()).trim());
  } catch (e) {
    const f = $('figures' + k);
    f.textContent = e.message;
    f.classList.add('error');
  }
}

function turn(k) {
  if (k >= state.sets.length) return;
  state.current = k;
  settings(); filter(); select(-1);
}

async function compare() {
  const on = state.sets.length < 2;
  if (!on) state.sets.length = 1;
  else if (!data.live) {
    if (state.doc.sets.length < 2) return;
    state.sets.push(prepare(state.doc.sets[1]));
  } else {
    const s = {...state.sets[0].settings};
    s.max = Math.max(16, Math.round(s.max / 2));
    const doc = await ask(state.doc.id, s, 0);
    if (!doc) return;
    state.sets.push(prepare(doc.sets[0]));
  }
  $('compare').setAttribute('aria-pressed', on);
  state.current = 0;
  lay();
  refresh();
}

// lay fits the rows of the source into the width there is.
function lay() {
  const probe = el('span', {}, '0'.repeat(100));
  probe.style.cssText = 'position:absolute;visibility:hidden';
  $('source').append(probe);
  const ch = probe.getBoundingClientRect().width / 100;
  probe.remove();
  const room = ($('source').clientWidth - 6.4 * ch) / state.sets.length - 24;
  const columns = Math.max(20, Math.floor(room / ch));
  if (state.rows && state.rows.columns === columns && state.rows.of === state.doc) return;
  const at = state.rows && state.rows.of === state.doc ? state.rows.starts[Math.floor($('source').scrollTop / 20)] : 0;
  state.rows = layOut(state.doc.source, columns);
  state.rows.of = state.doc;
  source.set(state.rows.n);
  $('source').scrollTop = rowOf(at) * 20;
}

function open(doc) {
  state.doc = doc;
  state.sets = [prepare(doc.sets[0])];
  state.current = 0;
  state.selected = -1;
  document.title = doc.id + ' · cantle';
  $('compare').setAttribute('aria-pressed', false);
  $('compare').hidden = !data.live && doc.sets.length < 2;
  $('doc').value = doc.id;
  for (const box of ['source', 'tree', 'chunks']) $(box).scrollTop = 0;
  lay();
  tree.set(doc.tree.length);
  refresh();
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  try { localStorage.setItem('cantle-theme', dark ? 'dark' : 'light'); } catch { /* a page from a file may not */ }
}

function tip(e) {
  const box = e.target.closest && e.target.closest('.cell');
  const t = $('tip');
  if (!box || box.dataset.chunk === undefined) { t.hidden = true; return; }
  const s = state.sets[box.dataset.set];
  const i = +box.dataset.chunk, c = s.chunks[i];
  t.replaceChildren(el('b', {}, `Chunk ${i + 1}: ${c.type}, ${c.tokens} of ${s.settings.max}`), el('div', {}, c.path), el('div', {}, 'ends: ' + c.reason));
  t.hidden = false;
  const {innerWidth: w, innerHeight: h} = window, r = t.getBoundingClientRect();
  t.style.left = Math.min(e.clientX + 14, w - r.width - 8) + 'px';
  t.style.top = (e.clientY + 18 + r.height > h ? e.clientY - r.height - 10 : e.clientY + 18) + 'px';
}

function step(by) {
  if (!list.length) return;
  let k = list.indexOf(state.selected);
  if (k < 0) k = by > 0 ? -1 : list.length;
  select(list[Math.max(0, Math.min(list.length - 1, k + by))]);
}

function key(e) {
  if (e.target.matches('input, select, textarea') || e.ctrlKey || e.metaKey || e.altKey || $('keys').open) return;
  const limit = by => {
    if (!data.live) return;
    const v = Math.max(16, state.sets[state.current].settings.max + by);
    recut(state.current, {max: v});
    settings();
  };
  const act = {
    j: () => step(1), k: () => step(-1), c: compare, b: () => turn(1 - state.current),
    t: () => $('theme').click(), '?': () => $('keys').showModal(), Escape: () => select(-1),
    '+': () => limit(50), '=': () => limit(50), '-': () => limit(-50),
  }[e.key];
  if (act) { e.preventDefault(); act(); }
}

function start() {
  for (const name of data.names) $('doc').append(el('option', {value: name}, name));
  $('doc').hidden = data.names.length < 2;
  $('doc').onchange = async () => {
    const name = $('doc').value;
    const doc = data.live ? await ask(name, set().settings, 0) : data.docs.find(d => d.id === name);
    if (doc) open(doc);
  };
  for (const kind of kinds) {
    const b = el('button', {ariaPressed: 'true'}, kind);
    b.id = 'type-' + kind;
    b.style.setProperty('--type', `var(--${kind})`);
    b.onclick = () => {
      if (!state.off.delete(kind)) state.off.add(kind);
      b.ariaPressed = !state.off.has(kind);
      filter();
    };
    $('types').append(b);
  }
  $('from').oninput = () => { state.from = +$('from').value; filter(); };
  $('to').oninput = () => { state.to = $('to').value === '' ? Infinity : +$('to').value; filter(); };
  $('compare').onclick = compare;
  $('theme').onclick = () => theme(document.documentElement.dataset.theme !== 'dark');
  $('help').onclick = () => $('keys').showModal();
  $('source').addEventListener('mousemove', tip);
  $('source').addEventListener('mouseleave', () => { $('tip').hidden = true; });
  $('source').addEventListener('scroll', () => { $('tip').hidden = true; });
  $('source').onclick = e => {
    const box = e.target.closest('.cell');
    if (!box || box.dataset.chunk === undefined) return;
    if (+box.dataset.set !== state.current) turn(+box.dataset.set);
    state.selected = +box.dataset.chunk;
    const k = list.indexOf(state.selected);
    if (k >= 0) chunks.show(k);
    select(state.selected, false);
  };
  $('chunks').onclick = e => { const row = e.target.closest('.row'); if (row) select(list[row.dataset.i]); };
  $('tree').onclick = e => {
    const row = e.target.closest('.row');
    if (!row) return;
    const [, , s] = state.doc.tree[row.dataset.i];
    const b = set().bands[bandAt(set(), s)];
    source.show(rowOf(s));
    if (b) { state.selected = b[2]; select(b[2], false); const k = list.indexOf(b[2]); if (k >= 0) chunks.show(k); }
  };
  addEventListener('keydown', key);
  addEventListener('resize', () => { lay(); source.later(); });
  let saved = null;
  try { saved = localStorage.getItem('cantle-theme'); } catch { /* a page from a file may not */ }
  theme(saved ? saved === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  const doc = data.live ? data.doc : data.docs[0];
  if (doc) open(doc);
}

start();
