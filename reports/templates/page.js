"use strict";
const fedboundsUnpack = async (id) => {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
};
// The page is a document without this: it only finds, sorts, opens and copies.
(() => {
  const every = (what, inside = document) => [...inside.querySelectorAll(what)];
  const one = (id) => document.getElementById(id);
  document.documentElement.classList.add("scripted");

  const entries = every("details.statement");
  const texts = new Map();
  const text = (entry) => {
    const paper = entry.dataset.paper;
    const method = one(`about-${paper}`)?.dataset.method;
    if (!texts.has(entry)) texts.set(entry, `${entry.id} ${paper} ${method} ${entry.textContent}`.toLowerCase());
    return texts.get(entry);
  };
  const groups = every(".tier .entries").map((group) => [group, every("details.statement", group)]);

  const wanted = () => {
    const [words, paper, standing, finding] = ["find", "by-paper", "by-standing", "by-finding"].map((id) => one(id).value);
    const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
    return (entry) =>
      (!paper || entry.dataset.paper === paper) &&
      (!standing || entry.dataset.standing === standing) &&
      (!finding || entry.dataset.findings.split(",").includes(finding)) &&
      parts.every((part) => text(entry).includes(part));
  };
  const filter = () => {
    const keep = wanted();
    const asked = ["find", "by-paper", "by-standing", "by-finding"].some((id) => one(id).value);
    let count = 0;
    for (const entry of entries) {
      entry.hidden = !keep(entry);
      count += !entry.hidden;
    }
    for (const [group] of groups) {
      const tier = group.parentElement;
      tier.hidden = !every("details.statement", group).some((entry) => !entry.hidden);
      if (asked) tier.open = !tier.hidden;
    }
    for (const paper of every("section.paper")) paper.hidden = !every(".tier", paper).some((tier) => !tier.hidden);
    const shown = asked ? [`${count} of ${entries.length} statements`] : [];
    if (one("sort").value === "ratio") shown.push("smallest share of the bound that a run reached first, no ratio last");
    one("count").textContent = shown.join("; ");
  };
  const orders = {
    gravity: (a, b) => a.dataset.gravity - b.dataset.gravity,
    ratio: (a, b) => (a.dataset.ratio || 9) - (b.dataset.ratio || 9),
    title: (a, b) => a.querySelector("h5").textContent.localeCompare(b.querySelector("h5").textContent),
  };
  const sort = () => {
    const order = orders[one("sort").value];
    if (order) one("sorted").append(...[...entries].sort(order));
    else for (const [group, asPrinted] of groups) group.append(...asPrinted);
    filter();
  };
  for (const id of ["find", "by-paper", "by-standing", "by-finding"]) one(id).addEventListener("input", filter);
  one("sort").addEventListener("input", sort);

  // A link to a statement, to its locator or to its id opens it, whatever is hidden or folded.
  const places = new Map();
  for (const entry of entries) {
    const locator = entry.querySelector("summary .id").textContent;
    const id = entry.querySelector("p .id").textContent;
    for (const name of [id, locator]) if (!places.has(name)) places.set(name, entry);
  }
  const open = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    if (name === "loosest") {
      one("sort").value = "ratio";
      sort();
    }
    const target = one(name) || places.get(name);
    if (!target) return;
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
      at.hidden = false;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();

  // Cells and objects are unpacked when their statement is opened for the first time.
  let parts;
  const fill = async (entry) => {
    const empty = every(".later:empty", entry);
    if (!empty.length) return;
    parts = parts || fedboundsUnpack("parts");
    const known = await parts;
    for (const place of empty) place.innerHTML = known[place.dataset.part];
  };
  for (const entry of entries) entry.addEventListener("toggle", () => entry.open && fill(entry));

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const command = button.previousElementSibling.textContent;
    const tell = (word) => (button.textContent = word);
    navigator.clipboard.writeText(command).then(() => tell("Copied"), () => tell("Select and copy"));
  });
})();
