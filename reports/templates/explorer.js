"use strict";
// Runs the programs that Python compiled from the statements: the operations of bounds/arithmetic/program.py.
const fedboundsPrograms = (() => {
  const compound = (u, n, less) => {
    if (u <= -1) return (1 + u) ** n - less;
    return (less ? Math.expm1 : Math.exp)(n * Math.log1p(u));
  };
  const power = (base, [over, under]) => {
    let root = base;
    while (under === 2 || under === 4) {
      root = Math.sqrt(root);
      under /= 2;
    }
    if (under !== 1) return base ** (over / under);
    let product = 1;
    for (let left = over; left > 0; left--) product *= root;
    return over >= 0 && over <= 64 ? product : root ** over;
  };
  const compare = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };
  Object.assign(compare, { "==": (a, b) => a === b, "!=": (a, b) => a !== b });
  const steps = {
    input: (x, name, given) => given[name],
    number: (x, value) => value,
    add: (x, signs) => x.reduce((sum, value, k) => sum + signs[k] * value, 0),
    multiply: (x, above) => x.reduce((product, value, k) => (k < above ? product * value : product / value), 1),
    power: (x, exponent) => power(x[0], exponent),
    raise_to: (x) => x[0] ** x[1],
    compound: (x) => compound(x[0], x[1], 0),
    compound_minus_one: (x) => compound(x[0], x[1], 1),
    exp: (x) => Math.exp(x[0]),
    log: (x) => Math.log(x[0]),
    log1p: (x) => Math.log1p(x[0]),
    maximum: (x) => Math.max(...x),
    minimum: (x) => Math.min(...x),
    compare: (x, relation) => compare[relation](x[0], x[1]),
    select: (x) => (x[0] ? x[1] : x[2]),
  };
  const outputs = (form, given) => {
    const known = [];
    for (const [name, from, parameter] of form.operations)
      known.push(steps[name](from.map((place) => known[place]), parameter, given));
    return form.outputs.map((place) => known[place]);
  };
  // The margin is relative to the limit, positive where the condition holds; at most 1e-9 is too close for floats.
  const margin = (condition, value, limit) => {
    const slack = condition.upper ? limit - value : value - limit;
    const size = limit === 0 ? slack : slack / Math.abs(limit);
    return { margin: size, absolute: limit === 0, holds: size > 0 || (size === 0 && !condition.strict), close: Math.abs(size) <= 1e-9 };
  };
  const evaluate = (form, given) => {
    const found = outputs(form, given);
    const take = (count) => found.splice(0, count);
    const terms = take(form.terms.length);
    const [value] = take(1);
    const conditions = form.conditions.map((one) => margin(one, ...take(2)));
    const derived = take(form.derived.length);
    return { terms, value, conditions, derived, free: form.free ? found[0] : null };
  };
  return { evaluate };
})();
if (typeof module !== "undefined") module.exports = fedboundsPrograms;
