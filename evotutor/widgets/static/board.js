// The board: draws the view that Python sends and sends intents back.  It knows no rule and no text of its own.
//
// In:  trait `frame` {seq, view, events, say, select}, trait `strings` {key: text}, trait `lang`.
// Out: custom messages {type: "play" | "why" | "select", id, seq}.  Python answers each with {type: "ack"}.

const SVG = "http://www.w3.org/2000/svg";
const CARD = 184, GAP = 20, LEVEL = 40, STEP = CARD + GAP;

// strokes on a 16 x 16 grid, drawn for this project
export const ICONS = {
  "carnivorous": "M1.5 4.5h13M3 4.5l2 6.5 2-6.5M9 4.5l2 6.5 2-6.5",
  "high-body-weight": "M2 13.5V9a6 6 0 0 1 12 0v4.5h-3v-3H5v3z",
  "parasite": "M5 8a3 3.6 0 1 0 6 0 3 3.6 0 1 0-6 0M2 3.5l3.5 2.2M14 3.5l-3.5 2.2M1.5 8H5M11 8h3.5M2 12.5l3.5-2.2M14 12.5l-3.5-2.2",
  "fat-tissue": "M8 1.8C5.3 5.6 4 7.8 4 10a4 4 0 0 0 8 0c0-2.2-1.3-4.4-4-8.2z",
  "running": "M9.2 3.2a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M9.5 6 6.5 9l3 2.2-1 3.8M6.5 9l-1 2.5H2M9.5 6l1.8 2.2H14M9.5 6 6 5.5 4 7.5",
  "mimicry": "M1.8 8a4.2 4.2 0 1 0 8.4 0 4.2 4.2 0 1 0-8.4 0M8.5 4.3a4.2 4.2 0 1 1 0 7.4",
  "swimming": "M1 6c1.7-2 3.3-2 5 0s3.3 2 5 0 3.3-2 4-1M1 11c1.7-2 3.3-2 5 0s3.3 2 5 0 3.3-2 4-1",
  "burrowing": "M1 12.5h14M3.5 12.5a4.5 5 0 0 1 9 0M6.3 12.5a1.7 2.5 0 0 1 3.4 0",
  "camouflage": "M3.5 12.5C1.5 6.5 6.5 3 14 2.5c.2 7.5-3.5 11.5-9 9.8M2 14.5l7-7.5",
  "sharp-vision": "M1 8c3.5-5.3 10.5-5.3 14 0-3.5 5.3-10.5 5.3-14 0zM6 8a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  "tail-loss": "M1.5 12.5c3.5.3 4.8-1.5 5.5-4M9.5 6c1-2.5 3-3 5-2M6 4.5l5 5",
  "poisonous": "M3.5 9.5v-2a4.5 4.8 0 0 1 9 0v2l-2 1v3h-5v-3zM6 7.5h.8M9.2 7.5h.8M8 11v2.5",
  "grazing": "M6.8 2.5C3.5 3.5 3 9.5 4.5 13.5h2.3zM9.2 2.5c3.3 1 3.8 7 2.3 11H9.2z",
  "scavenger": "M5 11l6-6M2.3 10.8a1.5 1.5 0 1 1 2.2 0 1.5 1.5 0 1 1 .7 2.9 1.5 1.5 0 0 1-2.9-2.9zM13.7 5.2a1.5 1.5 0 1 1-2.2 0 1.5 1.5 0 1 1-.7-2.9 1.5 1.5 0 0 1 2.9 2.9z",
  "piracy": "M3 2.5l9 9M13 2.5l-9 9M10.5 13.5l3.5-3.5M2 10l3.5 3.5",
  "hibernation": "M10.5 2a6.3 6.3 0 1 0 3.8 8.5A5.6 5.6 0 0 1 10.5 2z",
  "symbiosis": "M2 9.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M9 3.5h5.5v4c0 3-1.7 4.3-2.75 5-1.05-.7-2.75-2-2.75-5z",
  "cooperation": "M2 5.5h11l-2.5-2.5M14 10.5H3l2.5 2.5",
  "communication": "M1.5 3h9v6h-5l-2.5 2.5V9H1.5zM13 6.5h1.5v6H13v2l-2.5-2h-3",
};
const OTHER = "M3 3h10v10H3z";
const LIZARD = "M2 11c4 1 6-1 9-3 3-2.2 7-2.6 11-1l5-1.2c3-.6 5.5.6 6.5 2-1.5 1.5-4 2-6.5 1.7l-4 1.3c-4 1.5-8 1.5-11 .2M13 8.5 10.5 5 8.5 5.5M14 11l-2.5 4-2 .2M23 6.5 22 3l2-.8M23.5 10.5l1.5 3.7 2 .3";
const USED = "M12.5 5A5.3 5.3 0 1 0 13.3 8.5M12.8 2v3.3H9.5";

function el(tag, attrs = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attrs)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function svg(tag, attrs = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attrs)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function strokes(path, box, cls, w, h) {
  return svg("svg", { viewBox: box, width: w, height: h, class: cls, "aria-hidden": "true" }, svg("path", { d: path }));
}

const icon = (trait) => strokes(ICONS[trait] || OTHER, "0 0 16 16", "tb-icon", 16, 16);

const SHAPES = {
  red: ["circle", { cx: 8, cy: 8, r: 6.2 }],
  blue: ["path", { d: "M8 .8 15.2 8 8 15.2.8 8z" }],
  yellow: ["path", { d: "M8 .8C4.8 5 3 7.5 3 10.2a5 5 0 0 0 10 0C13 7.5 11.2 5 8 .8z" }],
};

export function token(kind) {
  // kind: red, blue, yellow, or "empty" (a place for food) and "empty-fat"
  const [tag, attrs] = SHAPES[{ "empty": "red", "empty-fat": "yellow" }[kind] || kind];
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, class: `tb-token tb-${kind}`, "aria-hidden": "true" }, svg(tag, attrs));
}

// ---- links: levels and end points, pure so that they can be tested alone

export function layout(ids, links) {
  // Each link gets the lowest level where it overlaps no other, and every end its own place on the card's upper edge.
  const at = new Map(ids.map((id, i) => [id, i]));
  const arcs = links
    .filter((link) => link.ends.every((id) => at.has(id)))
    .map((link) => ({ link, left: Math.min(...link.ends.map((id) => at.get(id))), right: Math.max(...link.ends.map((id) => at.get(id))) }))
    .sort((p, q) => p.right - p.left - (q.right - q.left) || p.left - q.left);
  const levels = [];
  for (const arc of arcs) {
    let level = 0;
    while ((levels[level] || []).some((o) => arc.left < o.right && o.left < arc.right)) level += 1;
    (levels[level] = levels[level] || []).push(arc);
    arc.level = level;
  }
  for (let i = 0; i < ids.length; i += 1) {
    const ends = arcs.filter((arc) => arc.left === i || arc.right === i);
    // links to the left end left, outer (higher) ones further in towards the middle
    ends.sort((p, q) => (p.right === i ? -1 : 1) - (q.right === i ? -1 : 1) || (p.right === i ? p.level - q.level : q.level - p.level));
    ends.forEach((arc, k) => {
      const x = i * STEP + CARD / 2 + (k - (ends.length - 1) / 2) * 26;
      if (arc.left === i) arc.x1 = x;
      else arc.x2 = x;
    });
  }
  return { arcs, height: levels.length ? levels.length * LEVEL + 14 : 0 };
}

export function arcPath(arc, height) {
  const y = height - 14 - arc.level * LEVEL - LEVEL / 2, r = Math.min(26, (arc.x2 - arc.x1) / 2), down = height - 1;
  const dy = Math.min(26, down - y);
  return `M${arc.x1} ${down}C${arc.x1} ${down - dy * 0.6} ${arc.x1 + r * 0.3} ${y} ${arc.x1 + r} ${y}H${arc.x2 - r}C${arc.x2 - r * 0.3} ${y} ${arc.x2} ${down - dy * 0.6} ${arc.x2} ${down}`;
}

export function isDark(css) {
  // css: a colour as the browser computes it, "rgb(r, g, b)"
  const [r, g, b] = (css.match(/[\d.]+/g) || [255, 255, 255]).map(Number);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 110;
}

// ---- the board

class Board {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.selected = null;
    this.uid = `tb${Math.random().toString(36).slice(2, 8)}`;
    this.waiting = 0;
    this.aimed = null; // the action that has the focus
    this.body = el("div", { class: "tb-body" });
    this.live = el("div", { class: "tb-live", role: "status", "aria-live": "polite" });
    this.over = svg("svg", { class: "tb-over", "aria-hidden": "true" });
    root.append(this.body, this.over, this.live);
    root.addEventListener("keydown", (event) => this.key(event));
  }

  text(key, values = {}) {
    const strings = this.model.get("strings") || {};
    return Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), strings[key] || key);
  }

  get frame() { return this.model.get("frame") || {}; }
  get view() { return this.frame.view; }

  send(type, id) {
    const asleep = () => this.announce(this.text("asleep"), true);
    clearTimeout(this.waiting);
    try { this.model.send({ type, id, seq: this.frame.seq }); } catch { return void asleep(); }
    if (type !== "select") this.waiting = setTimeout(asleep, 8000);
  }

  answered() { clearTimeout(this.waiting); }

  announce(text, warning = false) {
    this.live.textContent = text || "";
    this.live.classList.toggle("tb-warning", warning);
  }

  // drawing

  draw(fresh) {
    const view = this.view;
    if (!view) return;
    const places = fresh ? this.places() : null;
    const held = this.root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const scrolls = new Map([...this.body.querySelectorAll(".tb-scroll")].map((n) => [n.dataset.player, n.scrollLeft]));
    if (fresh && this.frame.select !== undefined) this.selected = this.frame.select;
    if (this.selected && !this.known(this.selected)) this.selected = null;
    this.root.setAttribute("lang", this.model.get("lang"));
    this.root.setAttribute("aria-label", this.text("board"));
    this.body.replaceChildren(this.top(view), ...this.table(view));
    this.aimed = null;
    this.preview(null);
    for (const node of this.body.querySelectorAll(".tb-scroll")) node.scrollLeft = scrolls.get(node.dataset.player) || 0;
    this.reveal(this.body.querySelector(".tb-card.tb-selected"));
    this.rove(held);
    if (fresh) {
      this.answered();
      this.announce(this.frame.say);
      if (places) this.play(this.frame.events || [], places);
    }
  }

  reveal(card) {
    // sideways only: the page itself never jumps
    const lane = card && card.closest(".tb-scroll");
    if (!lane) return;
    const p = card.getBoundingClientRect(), q = lane.getBoundingClientRect();
    if (p.right > q.right) lane.scrollLeft += p.right - q.right + 8;
    else if (p.left < q.left) lane.scrollLeft -= q.left - p.left + 8;
  }

  known(key) { return key in this.view.actions || this.view.lanes.some((lane) => lane.animals.some((a) => a.id === key)); }

  top(view) {
    const steps = view.phases.map((phase, i) =>
      el("li", { class: phase.current ? "tb-now" : null, "aria-current": phase.current ? "step" : null }, el("span", { class: "tb-nr" }, `${i + 1} · `), phase.text));
    return el("div", { class: "tb-top" }, el("ol", { class: "tb-phases" }, ...steps), el("span", { class: "tb-muted" }, view.clock));
  }

  table(view) {
    const lanes = view.lanes.map((lane) => this.lane(view, lane));
    lanes.splice(Math.max(1, lanes.length - 1), 0, this.bank(view));
    return lanes;
  }

  bank(view) {
    const red = Array.from({ length: view.bank.red }, () => token("red"));
    const general = (view.actions[""] || []).length ? el("div", { class: "tb-general", role: "group", "aria-label": view.decision.text }, ...view.actions[""].map((a) => this.action(a))) : null;
    return el("section", { class: "tb-bank", "aria-label": view.bank.label },
      el("div", { class: "tb-bankrow" },
        el("strong", {}, view.bank.name), el("span", { class: "tb-tokens tb-bankfood", "data-place": "bank" }, ...red),
        el("span", { class: "tb-muted" }, view.bank.note), el("span", { class: "tb-stock", "data-place": "stock" }, token("blue"), view.bank.stock),
        el("span", { class: "tb-muted tb-right", "data-place": "deck" }, view.deck.text)),
      el("div", { class: "tb-question" }, el("span", {}, view.decision.text), general));
  }

  lane(view, lane) {
    const { arcs, height } = layout(lane.animals.map((a) => a.id), lane.links);
    const width = Math.max(1, lane.animals.length) * STEP - GAP;
    const cards = el("div", { class: "tb-cards" }, ...lane.animals.map((a) => this.card(view, a)));
    const links = height ? el("div", { class: "tb-links", style: `height:${height}px;width:${width}px` }, this.curves(arcs, height, width), ...arcs.map((arc) => this.label(arc, height))) : null;
    const empty = lane.animals.length ? null : el("p", { class: "tb-muted tb-none" }, this.text("no-animals"));
    const scroll = el("div", { class: "tb-scroll", "data-player": lane.player }, links, cards, empty);
    const mine = lane.animals.some((a) => a.id === this.selected) || lane.hand.some((c) => c.key === this.selected);
    return el("section", { class: `tb-lane${lane.active ? " tb-active" : ""}`, "aria-label": lane.label, "data-place": `lane:${lane.player}` },
      el("header", {}, el("h3", {}, lane.name), el("span", { class: "tb-muted" }, lane.info),
        lane.active ? el("span", { class: "tb-turn" }, lane.turn) : null),
      lane.hand.length ? this.hand(lane) : null,
      el("div", { class: "tb-row" }, scroll, mine ? this.actions(view) : null));
  }

  hand(lane) {
    const cards = lane.hand.map((card) => el("button", {
      class: `tb-handcard${card.key === this.selected ? " tb-selected" : ""}`, type: "button", "data-key": card.key, "data-rove": "hand",
      "aria-pressed": String(card.key === this.selected), tabindex: "-1", onclick: () => this.select(card.key),
    }, ...card.parts.map((part) => el("span", { class: `tb-part tb-kind-${part.kind}` }, part.trait ? icon(part.trait) : "", part.name))));
    return el("div", { class: "tb-hand", role: "group", "aria-label": lane.handLabel }, el("span", { class: "tb-muted" }, this.text("hand")), ...cards);
  }

  curves(arcs, height, width) {
    const head = svg("marker", { id: `${this.uid}-head`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0 0 10 5 0 10z" }));
    const node = svg("svg", { width, height, class: "tb-curves", "aria-hidden": "true" }, svg("defs", {}, head));
    for (const arc of arcs) {
      const path = svg("path", { d: arcPath(arc, height), class: `tb-arc${arc.link.used ? " tb-used" : ""}` });
      // the arrow points at the protected animal, the second end
      if (arc.link.directed) path.setAttribute(this.leftIsFirst(arc) ? "marker-end" : "marker-start", `url(#${this.uid}-head)`);
      node.append(path);
    }
    return node;
  }

  leftIsFirst(arc) {
    const ids = this.view.lanes.flatMap((lane) => lane.animals.map((a) => a.id));
    return ids.indexOf(arc.link.ends[0]) < ids.indexOf(arc.link.ends[1]);
  }

  label(arc, height) {
    const x = (arc.x1 + arc.x2) / 2, y = height - 14 - arc.level * LEVEL - LEVEL / 2, room = arc.x2 - arc.x1 + 12;
    return el("div", { class: `tb-link${arc.link.used ? " tb-used" : ""}`, style: `left:${x}px;top:${y}px;max-width:${room}px`, title: arc.link.label },
      icon(arc.link.trait), el("span", {}, arc.link.text), arc.link.used ? strokes(USED, "0 0 16 16", "tb-icon", 13, 13) : null);
  }

  card(view, animal) {
    const chosen = animal.id === this.selected, target = (view.targets[this.selected] || []).includes(animal.id);
    const can = (view.actions[animal.id] || []).some((a) => a.legal);
    const cls = ["tb-card", chosen && "tb-selected", target && "tb-target", can && "tb-can", `tb-state-${animal.state.id}`].filter(Boolean).join(" ");
    const food = el("div", { class: "tb-tokens" }, ...animal.sockets.map(token),
      animal.fat.length ? el("span", { class: "tb-bar" }) : null, ...animal.fat.map((kind) => token(kind === "empty" ? "empty-fat" : kind)));
    return el("div", {
      class: cls, role: "button", tabindex: "-1", "aria-pressed": String(chosen), "aria-label": animal.label + (target ? `, ${this.text("target")}` : ""),
      "data-key": animal.id, "data-rove": "card", "data-place": animal.id, "data-testid": `animal-${animal.id}`,
      onclick: () => this.pick(animal.id),
    },
    el("div", { class: "tb-name" }, strokes(LIZARD, "0 0 36 18", "tb-lizard", 34, 17), el("b", {}, animal.name), el("span", { class: "tb-state" }, animal.state.text)),
    food,
    ...animal.conditions.map((c) => el("div", { class: "tb-condition" }, c.text)),
    el("ul", { class: "tb-traits" }, ...animal.traits.map((trait) => this.chip(trait))),
    animal.ends.length ? el("ul", { class: "tb-ends" }, ...animal.ends.map((text) => el("li", {}, text))) : null);
  }

  chip(trait) {
    return el("li", { class: `tb-chip tb-kind-${trait.kind}${trait.used ? " tb-used" : ""}`, title: trait.hint }, icon(trait.trait),
      el("span", {}, trait.note ? `${trait.name} · ${trait.note}` : trait.name), trait.used ? strokes(USED, "0 0 16 16", "tb-icon tb-turned", 14, 14) : null);
  }

  actions(view) {
    const list = view.actions[this.selected] || [];
    const title = (view.titles || {})[this.selected] || this.text("can-do", { x: this.selected });
    return el("div", { class: "tb-actions", role: "group", "aria-label": title, "data-testid": "actions" }, el("h4", {}, title),
      ...(list.length ? list.map((a) => this.action(a)) : [el("p", { class: "tb-muted" }, this.text("nothing"))]));
  }

  action(action) {
    const show = () => this.preview(action), leave = () => this.preview(this.aimed);
    const focus = () => { this.aimed = action; show(); }, blur = () => { this.aimed = null; leave(); };
    return el("button", {
      class: `tb-action${action.legal ? "" : " tb-impossible"}`, type: "button", "data-key": `do:${action.id}`, "data-rove": "action",
      "aria-label": action.legal ? `${action.text}${action.preview ? `. ${action.preview}` : ""}` : `${action.text}: ${this.text("impossible")}, ${this.text("why-not")}`,
      title: action.preview || null,
      onclick: () => this.send(action.legal ? "play" : "why", action.id), onmouseenter: show, onmouseleave: leave, onfocus: focus, onblur: blur,
    }, el("span", {}, action.text), el("span", { class: "tb-hint" }, action.legal ? (action.gain || "↵") : this.text("why-not")));
  }

  // choosing

  select(key) {
    this.selected = this.selected === key ? null : key;
    this.draw(false);
    this.send("select", this.selected || "");
  }

  pick(id) {
    const own = (this.view.actions[this.selected] || []).filter((a) => a.actor === this.selected && a.target === id);
    if (this.selected && this.selected !== id && own.length && !this.view.yours.includes(id)) {
      const first = own.find((a) => a.legal) || own[0];
      const button = this.body.querySelector(`[data-key="${CSS.escape(`do:${first.id}`)}"]`);
      if (button) button.focus();
      if (!first.legal) this.send("why", first.id);
      else this.announce(`${first.text}. ${first.preview || ""} ${this.text("confirm")}`);
      return;
    }
    this.select(id);
  }

  key(event) {
    const at = event.target.closest("[data-rove]");
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    const kind = at.dataset.rove, key = event.key;
    if ((key === "Enter" || key === " ") && kind === "card") { event.preventDefault(); this.pick(at.dataset.key); }
    else if (key === "Escape") { const card = this.body.querySelector(".tb-selected"); if (card) card.focus(); }
    else if (key.startsWith("Arrow")) { const next = this.neighbour(at, kind, key); if (next) { event.preventDefault(); next.focus(); this.rove(next.dataset.key, false); } }
  }

  neighbour(at, kind, key) {
    const forward = key === "ArrowRight" || key === "ArrowDown";
    if (kind !== "card") {
      const all = [...at.parentNode.querySelectorAll(`[data-rove="${kind}"]`)];
      return all[all.indexOf(at) + (forward ? 1 : -1)];
    }
    const lane = at.closest(".tb-lane"), cards = [...lane.querySelectorAll(".tb-card")], i = cards.indexOf(at);
    if (key === "ArrowLeft" || key === "ArrowRight") return cards[i + (forward ? 1 : -1)];
    const lanes = [...this.body.querySelectorAll(".tb-lane")].filter((l) => l.querySelector(".tb-card"));
    const other = lanes[lanes.indexOf(lane) + (forward ? 1 : -1)];
    const there = other ? [...other.querySelectorAll(".tb-card")] : [];
    return there[Math.min(i, there.length - 1)];
  }

  rove(held, move = true) {
    // one tab stop for the animals, one for each hand; the focus returns to where it was before drawing
    for (const kind of ["card", "hand"]) {
      const all = [...this.body.querySelectorAll(`[data-rove="${kind}"]`)];
      const stop = all.find((n) => n.dataset.key === held) || all.find((n) => n.classList.contains("tb-selected")) || all.find((n) => n.classList.contains("tb-can")) || all[0];
      for (const node of all) node.tabIndex = node === stop ? 0 : -1;
    }
    if (!move || !held) return;
    const again = this.body.querySelector(`[data-key="${CSS.escape(held)}"]`) || this.body.querySelector(".tb-selected") || this.body.querySelector(".tb-card[tabindex='0']");
    if (again) again.focus({ preventScroll: true });
  }

  // showing what would happen, and what did

  rect(node) {
    const base = this.root.getBoundingClientRect(), r = node.getBoundingClientRect();
    return { x: r.left - base.left, y: r.top - base.top, w: r.width, h: r.height };
  }

  preview(action) {
    this.over.replaceChildren();
    if (!action || !action.target || !action.actor) return;
    const from = this.place(action.actor), to = this.place(action.target);
    if (!from || !to) return;
    const p = this.rect(from), q = this.rect(to), up = q.y < p.y;
    const start = [p.x + p.w / 2, up ? p.y : p.y + p.h], end = [q.x + q.w / 2, up ? q.y + q.h + 4 : q.y - 4];
    if (Math.abs(p.y - q.y) < 20) { start[1] = p.y + 24; end[1] = q.y + 24; start[0] = p.x + (q.x > p.x ? p.w : 0); end[0] = q.x + (q.x > p.x ? 0 : q.w); }
    const mid = [(start[0] + end[0]) / 2 - (end[1] - start[1]) * 0.08, (start[1] + end[1]) / 2];
    this.over.append(
      svg("defs", {}, svg("marker", { id: `${this.uid}-aim`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 6, markerHeight: 6, orient: "auto" }, svg("path", { d: "M0 0 10 5 0 10z" }))),
      svg("path", { d: `M${start}Q${mid} ${end}`, class: `tb-aim${action.legal ? "" : " tb-forbidden"}`, "marker-end": `url(#${this.uid}-aim)` }));
    if (action.legal && action.gain) {
      const flat = Math.abs(p.y - q.y) < 20;
      const badge = svg("g", { transform: flat ? `translate(${p.x + p.w / 2} ${p.y - 2})` : `translate(${start[0] + 30} ${start[1] + (up ? -14 : 14)})`, class: "tb-gain" },
        svg("rect", { x: -22, y: -11, width: 44, height: 22, rx: 11 }), svg("text", { "text-anchor": "middle", y: 4 }, action.gain));
      this.over.append(badge);
    }
  }

  place(name) { return this.body.querySelector(`[data-place="${CSS.escape(name)}"]`); }

  places() {
    const found = new Map();
    for (const node of this.body.querySelectorAll("[data-place]")) found.set(node.dataset.place, this.rect(node));
    return found;
  }

  play(events, before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const now = this.places(), spot = (name) => now.get(name) || before.get(name);
    let delay = 0;
    for (const event of events) {
      const p = event.kind === "token" && spot(event.from), q = event.kind === "token" && spot(event.to);
      if (!p) continue;
      for (let i = 0; i < event.n; i += 1) { this.fly(event.colour, p, q, delay); delay += 130; }
    }
  }

  fly(colour, p, q, delay) {
    const ghost = el("span", { class: "tb-ghost", "aria-hidden": "true" }, token(colour));
    const from = [p.x + Math.min(p.w / 2, 60), p.y + Math.min(p.h / 2, 44)];
    const to = q ? [q.x + Math.min(q.w / 2, 24), q.y + Math.min(q.h / 2, 44)] : [from[0], from[1] - 26]; // away from the table
    this.root.append(ghost);
    const motion = ghost.animate(
      [{ transform: `translate(${from[0]}px, ${from[1]}px) scale(1.5)`, opacity: 1 }, { transform: `translate(${to[0]}px, ${to[1]}px) scale(1.5)`, opacity: q ? 1 : 0 }],
      { duration: 250, delay, fill: "both", easing: "ease-in-out" });
    motion.onfinish = () => ghost.remove();
    motion.oncancel = () => ghost.remove();
  }
}

// ---- theme and keys of the whole panel

function watchTheme(panel, signal) {
  const probe = el("span", { style: "display:none;color:var(--jp-layout-color0, #fff)" });
  panel.append(probe);
  const apply = () => panel.classList.toggle("tutor-dark", isDark(getComputedStyle(probe).color));
  apply();
  const watcher = new MutationObserver(() => setTimeout(apply, 50));
  watcher.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-name", "data-jp-theme-light", "class"] });
  const late = [200, 1000, 3000].map((ms) => setTimeout(apply, ms));   // the theme's style sheet may load after us
  signal?.addEventListener("abort", () => { watcher.disconnect(); late.forEach(clearTimeout); probe.remove(); });
}

function keepKeys(panel) {
  // JupyterLab deletes and inserts cells by single keys; nothing pressed in the panel is meant for it
  if (panel.dataset.keys) return;
  panel.dataset.keys = "kept";
  panel.addEventListener("keydown", (event) => { if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation(); });
}

function render({ model, el: root, signal }) {
  root.classList.add("tutor-board");
  root.setAttribute("role", "group");
  const board = new Board(model, root);
  const fresh = () => board.draw(true), again = () => board.draw(false), answer = () => board.answered();
  model.on("change:frame", fresh);
  model.on("change:strings", again);
  model.on("msg:custom", answer);
  signal?.addEventListener("abort", () => {
    model.off("change:frame", fresh);
    model.off("change:strings", again);
    model.off("msg:custom", answer);
    clearTimeout(board.waiting);
  });
  const attach = (tries) => {
    if (!root.isConnected && tries) return void requestAnimationFrame(() => attach(tries - 1));
    const panel = root.closest(".tutor-panel") || root;
    keepKeys(panel);
    watchTheme(panel, signal);
    board.draw(true);
  };
  requestAnimationFrame(() => attach(60));
}

export default { render };
