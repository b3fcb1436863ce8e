"use strict";
// The explorer: inputs, value, terms, conditions, a curve and a map for one statement, and another one beside it.
(() => {
  const one = (id) => document.getElementById(id);
  const make = (tag, text = "", kind = "") => Object.assign(document.createElement(tag), { textContent: text, className: kind });
  const digits = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "no number");
  const named = (unit) => (unit === "1" || !unit ? "" : ` [${unit}]`);
  const STEPS = 1000;
  const CELLS = 24; // of the map, in each direction
  let form, given, other, others;

  // A slider covers two decades on both sides of the example, inside the domain; zero and negative ends are linear.
  const range = (input) => {
    const value = input.value;
    const inside = (x) => Math.min(Math.max(x, input.low ?? -Infinity), input.high ?? Infinity);
    if (value > 0) {
      const low = Math.max(inside(value / 100), value / 1e6);
      return { low, high: inside(value * 100), spaced: true };
    }
    return { low: inside(value < 0 ? 4 * value : input.low ?? -1), high: inside(value < 0 ? -value : 1), spaced: false };
  };
  const at = (input, share) => {
    const { low, high, spaced } = range(input);
    let value = spaced ? low * (high / low) ** share : low + (high - low) * share;
    if (input.whole) value = Math.round(value);
    const closed = (end, open) => end !== null && value === end && open;
    if (closed(input.low, input.open[0]) || closed(input.high, input.open[1])) return input.value;
    return value;
  };
  const share = (input, value) => {
    const { low, high, spaced } = range(input);
    const part = spaced ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : 0;
  };
  const allowed = (input, value) =>
    Number.isFinite(value) &&
    (input.low === null || value > input.low || (value === input.low && !input.open[0])) &&
    (input.high === null || value < input.high || (value === input.high && !input.open[1])) &&
    (!input.whole || Number.isInteger(value));

  const row = (input, values) => {
    const line = make("div", "", "ex-input");
    const label = make("label", `${input.name} `);
    const unit = named(input.unit);
    const box = Object.assign(make("input"), { type: "text", inputMode: "decimal", value: String(input.value) });
    const slider = Object.assign(make("input"), { type: "range", max: STEPS, value: STEPS * share(input, input.value) });
    slider.setAttribute("aria-label", `${input.name}, ${input.meaning}`);
    const speak = (value) => slider.setAttribute("aria-valuetext", `${digits(value)}${unit}`); // not its place from 0 to 1000
    speak(input.value);
    const set = (value) => {
      const fits = allowed(input, value);
      box.setAttribute("aria-invalid", String(!fits));
      if (!fits) return;
      values[input.name] = value;
      speak(value);
      show();
    };
    // An arrow key moves a count by one, another number by a hundredth of the slider: a thousandth shows nothing.
    slider.addEventListener("keydown", (event) => {
      const turn = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!turn) return;
      event.preventDefault();
      const next = values[input.name] + turn;
      if (!input.whole) {
        slider.value = Number(slider.value) + 10 * turn;
        slider.dispatchEvent(new Event("input"));
      } else if (next >= range(input).low && next <= range(input).high && allowed(input, next)) {
        box.value = String(next);
        slider.value = STEPS * share(input, next);
        set(next);
      }
    });
    slider.addEventListener("input", () => {
      const value = at(input, slider.value / STEPS);
      box.value = digits(value);
      set(Number(box.value));
    });
    box.addEventListener("input", () => {
      const value = box.value.trim() === "" ? NaN : Number(box.value);
      if (allowed(input, value)) slider.value = STEPS * share(input, value);
      set(value);
    });
    label.append(box);
    line.append(label, slider, make("span", `${input.meaning}${unit}`, "faint"));
    return line;
  };

  const bars = (form, terms, value) => {
    const bar = make("div", "", "ex-bar");
    bar.setAttribute("aria-hidden", "true");
    const list = make("ul");
    terms.forEach((term, k) => {
      const part = term / value;
      const segment = make("i", "", `part part-${k % 6}`);
      segment.style.width = `${100 * Math.max(0, Math.min(1, part)) || 0}%`;
      bar.append(segment);
      const line = make("li");
      line.append(make("i", "", `key part-${k % 6}`), ` ${form.terms[k].name}: ${digits(term)} (${(100 * part || 0).toFixed(1)}%) `);
      line.append(make("span", form.terms[k].pays, "faint"));
      list.append(line);
    });
    return [bar, list];
  };

  const distance = ({ margin, holds, absolute }) => {
    const [size, side] = [Math.abs(margin), holds ? "inside" : "beyond"];
    if (absolute) return `${Number(size.toPrecision(3))} ${side} the limit 0`;
    return size < 10 ? `${Number((100 * size).toPrecision(3))}% ${side} its limit` : `${digits(size)} times its limit ${side}`;
  };
  const limits = (form, checked) => {
    const list = make("ul");
    checked.forEach((found, k) => {
      const words = found.close ? "at its limit" : `${found.holds ? "holds" : "fails"}, ${distance(found)}`;
      const line = make("li", "", found.close ? "inconclusive" : found.holds ? "holds" : "violated");
      line.append(make("code", form.conditions[k].text), ` ${words}`);
      list.append(line);
    });
    return list;
  };

  const scale = (values, start, stop, logarithmic) => {
    const to = (v) => (logarithmic ? Math.log(v) : v);
    const [low, high] = [Math.min(...values.map(to)), Math.max(...values.map(to))];
    return (v) => start + ((to(v) - low) / (high - low || 1)) * (stop - start);
  };
  const adder = (drawing) => (tag, attributes, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    drawing.append(element);
    return element;
  };

  const curve = () => {
    const input = form.inputs.find((entry) => entry.name === one("ex-over").value);
    const points = [];
    const spaced = range(input).spaced;
    for (let k = 0; k <= 60; k++) {
      const x = at(input, k / 60);
      if (spaced && x <= 0) continue; // a count may begin at zero, a logarithm does not
      const found = fedboundsPrograms.evaluate(form, { ...given, [input.name]: x });
      if (found.value > 0 && Number.isFinite(found.value)) points.push([x, found.value, found.conditions.every((c) => c.holds || c.close)]);
    }
    const drawing = one("ex-curve");
    drawing.replaceChildren();
    if (points.length < 2) return;
    const x = scale(points.map((p) => p[0]), 80, 620, spaced);
    const y = scale(points.map((p) => p[1]), 240, 20, true);
    const add = adder(drawing);
    add("path", { class: "axis", d: "M80 20V240H620" });
    const piece = (keep) => points.map((p, k) => (keep(p) ? `${k && keep(points[k - 1]) ? "L" : "M"}${x(p[0]).toFixed(1)} ${y(p[1]).toFixed(1)}` : "")).join("");
    add("path", { class: "line second", d: piece((p) => !p[2]) });
    add("path", { class: "line bound", d: piece((p) => p[2]) });
    const here = fedboundsPrograms.evaluate(form, given).value;
    if (here > 0 && given[input.name] > 0) add("path", { class: "mark measured", d: `M${x(given[input.name]).toFixed(1)} ${y(here).toFixed(1)}h0` });
    const values = points.map((p) => p[1]);
    add("text", { x: 74, y: 26, "text-anchor": "end" }, digits(Math.max(...values)));
    add("text", { x: 74, y: 240, "text-anchor": "end" }, digits(Math.min(...values)));
    add("text", { x: 80, y: 258, "text-anchor": "start" }, digits(points[0][0]));
    add("text", { x: 620, y: 258, "text-anchor": "end" }, digits(points.at(-1)[0]));
    add("text", { x: 350, y: 274, "text-anchor": "middle" }, `${input.name}${named(input.unit)}`);
    add("text", { x: 90, y: 14, "text-anchor": "start" }, `right-hand side${named(form.unit)}`);
    drawing.setAttribute("aria-label", `The bound over ${input.name}, from ${digits(values[0])} to ${digits(values.at(-1))}; dashed where a condition fails`);
  };

  // Light where the bound is small, dark where it is large, crossed where a condition fails.
  const map = () => {
    const drawing = one("ex-map");
    const across = form.inputs.find((entry) => entry.name === one("ex-over").value);
    const up = form.inputs.find((entry) => entry.name === one("ex-second").value);
    drawing.style.display = up && up !== across ? "" : "none";
    drawing.replaceChildren();
    if (!up || up === across) return;
    const cells = [];
    for (let i = 0; i < CELLS; i++)
      for (let j = 0; j < CELLS; j++) {
        const place = [at(across, (i + 0.5) / CELLS), at(up, (j + 0.5) / CELLS)];
        const found = fedboundsPrograms.evaluate(form, { ...given, [across.name]: place[0], [up.name]: place[1] });
        cells.push([i, j, found.value, found.conditions.every((c) => c.holds || c.close)]);
      }
    const values = cells.filter((c) => c[3] && c[2] > 0 && Number.isFinite(c[2])).map((c) => c[2]);
    const shade = scale(values, 90, 30, true);
    const [add, wide, high] = [adder(drawing), 540 / CELLS, 300 / CELLS];
    for (const [i, j, value, holds] of cells) {
      const [x, y] = [80 + i * wide, 320 - (j + 1) * high];
      const known = holds && value > 0 && Number.isFinite(value);
      const box = { x: x.toFixed(1), y: y.toFixed(1), width: (wide + 0.5).toFixed(1), height: (high + 0.5).toFixed(1) };
      if (known) add("rect", { ...box, fill: `hsl(210 70% ${shade(value).toFixed(0)}%)` }).append(title(across, up, i, j, value));
      else add("path", { class: "fails", d: `M${x.toFixed(1)} ${(y + high).toFixed(1)}l${wide.toFixed(1)} ${(-high).toFixed(1)}` });
    }
    const mark = [80 + 540 * share(across, given[across.name]), 320 - 300 * share(up, given[up.name])];
    add("circle", { class: "here", cx: mark[0].toFixed(1), cy: mark[1].toFixed(1), r: 5 });
    const end = (input, part) => digits(at(input, part));
    add("text", { x: 80, y: 338 }, end(across, 0));
    add("text", { x: 620, y: 338, "text-anchor": "end" }, end(across, 1));
    add("text", { x: 350, y: 338, "text-anchor": "middle" }, across.name);
    add("text", { x: 74, y: 320, "text-anchor": "end" }, end(up, 0));
    add("text", { x: 74, y: 30, "text-anchor": "end" }, end(up, 1));
    add("text", { x: 74, y: 175, "text-anchor": "end" }, up.name);
    const ends = values.length ? `light ${digits(Math.min(...values))}, dark ${digits(Math.max(...values))}` : "no condition holds anywhere here";
    add("text", { x: 350, y: 358, "text-anchor": "middle" }, `${ends}; a stroke: a condition fails; the circle: the values above`);
    drawing.setAttribute("aria-label", `The bound over ${across.name} and ${up.name}: ${ends}; a condition fails in ${cells.length - values.length} of ${cells.length} cells`);
  };
  const title = (across, up, i, j, value) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "title");
    element.textContent = `${across.name} = ${digits(at(across, (i + 0.5) / CELLS))}, ${up.name} = ${digits(at(up, (j + 0.5) / CELLS))}: ${digits(value)}`;
    return element;
  };

  // Another statement at the same problem, rounds and privacy: what plays the same part has the same value.
  const paper = (entry) => entry.id.split(".")[0];
  const partner = (input) =>
    input.name !== other.rule?.constant && form.inputs.find((entry) =>
      paper(form) === paper(other) || input.name === "epsilon" || input.name === "delta"
        ? entry.name === input.name
        : entry.parts?.some((part) => input.parts?.includes(part)));
  // A number that conventions take powers of: the statement beside has it, or else the one above.
  const size = (name) => {
    const [entry, values] = other.sizes[name] ? [other, others] : [form, given];
    const more = (input) => entry.inputs.find((one) => one.name === input).more || 0;
    return entry.sizes[name]?.reduce((found, input) => found * (values[input] + more(input)), 1);
  };
  // The noise of a statement: an input, or what its rule derives from epsilon, delta and an open constant.
  const noiseOf = (entry, values) => {
    const input = entry.inputs.find((one) => one.noise);
    if (input) return { ...input, value: values[input.name] };
    if (!entry.rule) return null;
    const { derived } = fedboundsPrograms.evaluate(entry, values);
    return { ...entry.rule, value: derived[entry.derived.indexOf(entry.rule.name)] };
  };
  // The noise that is as private as the one above: the same multiplier of the accountant, sampling and rounds.
  const equally = (wanted) => {
    const noise = noiseOf(form, given);
    if (!noise || noise.noise !== wanted.noise) return { why: whyNot(noise, wanted) };
    const names = [...new Set([...Object.keys(noise.powers), ...Object.keys(wanted.powers)])];
    const exponents = names.map((name) => [name, (wanted.powers[name] || 0) - (noise.powers[name] || 0)]).filter((pair) => pair[1]);
    const lacking = exponents.map(([name]) => name).filter((name) => !(size(name) > 0));
    if (lacking.length) return { why: `neither statement takes the ${WORDS[lacking[0]]}` };
    const value = exponents.reduce((found, [name, power]) => found * size(name) ** power, noise.value);
    return { value, noise, sizes: exponents.map(([name]) => `${WORDS[name]} ${digits(size(name))}`).join(", ") };
  };
  const WORDS = { drawn: "clients in a round", dimension: "dimension", rounds: "number of rounds", contribution: "threshold", batch: "batch" };
  const PROTECTS = { sample: "one sample of a client", client: "a client with all its samples" };
  const whyNot = (noise, wanted) =>
    noise
      ? `it hides ${PROTECTS[wanted.noise]}, and ${noise.name} above hides ${PROTECTS[noise.noise]}: an epsilon of the one is no epsilon of the other`
      : "the statement above takes no noise";
  // Sets the noise where it is converted, and adds its name to what is taken from above; else the user sets it.
  // A statement in epsilon gets the constant of its rule at which the rule gives that noise.
  const privacy = (wanted, taken) => {
    const { value, noise, sizes, why } = equally(wanted);
    const name = wanted.constant || wanted.name;
    if (why) return `${name} is not at equal privacy: ${why}. `;
    const set = wanted.constant ? others[name] * (value / noiseOf(other, others).value) ** wanted.power : value;
    const same = `the same noise multiplier, sampling and rounds${sizes ? `; ${sizes}` : ""}`;
    const rule = wanted.constant ? `, so that its rule gives ${wanted.name} = ${digits(value)}` : "";
    const input = other.inputs.find((one) => one.name === name);
    if (allowed(input, set)) {
      others[name] = set;
      taken.add(name);
      return `At equal privacy ${name} = ${digits(set)}${rule} for ${noise.name} = ${digits(noise.value)} (${same}). `;
    }
    return `At equal privacy ${name} would be ${digits(set)}${rule} (${same}), outside its domain: the statement says nothing there. The result is at ${name} = ${digits(others[name])}, not at equal privacy. `;
  };
  // As many clients in a round as above, where both say how many: one of the inputs beside that give the number follows.
  const drawAlike = (taken) => {
    const open = (other.sizes.drawn || []).filter((name) => !taken.has(name));
    if (open.length !== 1 || !form.sizes.drawn) return [];
    const drawn = form.sizes.drawn.reduce((found, name) => found * given[name], 1);
    const rest = other.sizes.drawn.filter((name) => taken.has(name)).reduce((found, name) => found * others[name], 1);
    const input = other.inputs.find((one) => one.name === open[0]);
    const value = input.whole ? Math.round(drawn / rest) : drawn / rest;
    if (Math.abs(value * rest - drawn) > 1e-9 * drawn || !allowed(input, value)) return [];
    others[input.name] = value;
    taken.add(input.name);
    return [`${input.name} for ${form.sizes.drawn.join(" ")}`];
  };
  const beside = () => {
    const place = one("ex-other");
    if (!other) return place.replaceChildren();
    const common = [];
    const taken = new Set();
    for (const input of other.inputs) {
      const same = partner(input);
      const value = same && given[same.name] + (same.more || 0) - (input.more || 0);
      if (!same || !allowed(input, value)) continue;
      others[input.name] = value;
      taken.add(input.name);
      common.push(same.name === input.name ? input.name : `${input.name} for ${same.name}`);
    }
    common.push(...drawAlike(taken));
    const noises = other.inputs.filter((input) => input.noise && !partner(input));
    if (other.rule) noises.push(other.rule);
    const about = noises.map((wanted) => privacy(wanted, taken)).join("");
    const free = other.inputs.filter((input) => !taken.has(input.name));
    const shown = [other.id, other.form, ...free.map((input) => input.name)].join(" ");
    const words = common.length ? `Taken from the statement above: ${common.join(", ")}. ` : "Nothing is taken from the statement above. ";
    const editing = place.contains(document.activeElement) && place.dataset.shown === shown;
    if (editing) {
      place.querySelector("p").textContent = words + about;
      return one("ex-other-result").replaceChildren(...panel(other, others));
    }
    place.dataset.shown = shown;
    const result = Object.assign(make("div"), { id: "ex-other-result" });
    result.append(...panel(other, others));
    const inputs = make("div");
    inputs.append(make("p", words + about, "faint"), ...free.map((input) => row({ ...input, value: others[input.name] }, others)));
    place.replaceChildren(inputs, result);
  };

  const copies = () => {
    const pairs = Object.entries(given);
    const variant = form.form === "printed" ? "" : `, variant="${form.form}"`;
    const named = pairs.map(([name, value]) => `${name}=${value}`);
    one("ex-command").textContent = `fedbounds eval ${form.id} --variant ${form.form} --set ${named.join(" ")}`;
    one("ex-python").textContent = `import fedbounds\nfedbounds.get("${form.id}"${variant}).evaluate(${named.join(", ")})`;
    one("ex-latex").textContent = `${form.printed.join("\n")}\n% ${named.join(", ")}: ${digits(fedboundsPrograms.evaluate(form, given).value)}`;
  };

  const panel = (form, given) => {
    const found = fedboundsPrograms.evaluate(form, given);
    const fails = found.conditions.filter((c) => !c.holds && !c.close).length;
    const unit = named(form.unit);
    const head = make("p");
    head.append("The right-hand side is ", make("strong", digits(found.value)), `${unit}. `);
    head.append(fails ? `The statement does not apply: ${fails} condition${fails > 1 ? "s fail" : " fails"}.` : "Every condition holds.");
    const meant = form.measures.map(([name, meaning]) => (name === form.left ? `: ${meaning}` : `; ${name}: ${meaning}`));
    const about = make("p", `${form.relation} ${form.left}${meant.join("")}.`, "faint");
    const doubt = form.doubt ? [make("p", `Do not rely on this number: ${form.doubt}.${form.instead ? " The amended form is the next entry of the list." : ""}`, "violated")] : [];
    const parts = [head, ...doubt, about, ...bars(form, found.terms, found.value)];
    if (found.conditions.length) parts.push(limits(form, found.conditions));
    if (found.free !== null) {
      const below = found.value < found.free;
      const words = fails ? "" : below ? "The bound says more." : "The bound says less than doing nothing.";
      parts.push(make("p", `Known without any run: ${digits(found.free)}${unit}. ${words}`, below && !fails ? "holds" : "inconclusive"));
    }
    if (form.derived.length) parts.push(make("p", `The statement sets ${form.derived.map((name, k) => [name, form.formulas[name], digits(found.derived[k])].filter(Boolean).join(" = ")).join(", ")}. To reach a value of yours, move what it is made of.`, "faint"));
    return parts;
  };
  const show = () => {
    one("ex-result").replaceChildren(...panel(form, given));
    curve();
    map();
    beside();
    copies();
  };

  const choose = (chosen) => {
    form = chosen;
    given = Object.fromEntries(form.inputs.map((input) => [input.name, input.value]));
    one("ex-inputs").replaceChildren(...form.inputs.map((input) => row(input, given)));
    one("ex-over").replaceChildren(...form.inputs.map((input) => make("option", input.name)));
    const none = Object.assign(make("option", "nothing else"), { value: "" });
    one("ex-second").replaceChildren(none, ...form.inputs.map((input) => make("option", input.name)));
    const counted = form.inputs.find((input) => ["K", "R", "N", "T"].includes(input.name));
    if (counted) one("ex-over").value = counted.name;
    show();
  };

  // Unpacked when the explorer is opened for the first time, by itself or from a statement.
  let forms;
  // The form that `eval` computes with by itself.
  const placeOf = (id) => forms.findIndex((entry) => entry.id === id && !(entry.doubt && entry.instead));
  const start = async () => {
    if (forms) return;
    forms = await fedboundsUnpack("forms");
    const list = one("ex-statement");
    const names = () => forms.map((entry) => make("option", `${entry.id}${entry.form === "printed" ? "" : `, ${entry.form}`}: ${entry.title}`));
    list.replaceChildren(...names());
    list.addEventListener("change", () => choose(forms[list.selectedIndex]));
    const second = one("ex-beside");
    second.replaceChildren(make("option", "none"), ...names());
    second.addEventListener("change", () => {
      other = forms[second.selectedIndex - 1];
      others = other && Object.fromEntries(other.inputs.map((input) => [input.name, input.value]));
      beside();
    });
    one("ex-over").addEventListener("change", () => [curve(), map()]);
    one("ex-second").addEventListener("change", map);
    const first = Math.max(0, placeOf(one("explorer").dataset.first));
    list.selectedIndex = first;
    choose(forms[first]);
  };
  if (one("ex")) one("ex").addEventListener("toggle", start, { once: true });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.explore");
    if (!button) return;
    await start();
    const place = placeOf(button.dataset.id);
    one("ex-statement").selectedIndex = place;
    choose(forms[place]);
    one("ex").open = true;
    one("explorer").scrollIntoView();
    one("ex-statement").focus();
  });
})();
